import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { parseGoDuration } from '#machineconfig/read/leaves/duration.ts'
import { itemsAt, keysAt, sectionsAt, textAt } from '#machineconfig/validate/checks/fields.ts'
import { hostPortProblem } from '#machineconfig/validate/checks/split-host-port.ts'
import { urlParts } from '#machineconfig/validate/checks/url-parts.ts'
import { expressionProblem } from '#machineconfig/validate/expressions/expression.ts'
import type { RulesByKind } from './kind-rules.ts'

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/
const SHORTEST_WATCHDOG = 10_000_000_000n

/** What runs on the machine and whom it tells. */
export const runtimeRules: RulesByKind = {
  EnvironmentConfig: { errors: environmentErrors },
  EventSinkConfig: { errors: eventSinkErrors },
  ExtensionServiceConfig: { errors: extensionErrors },
  KmsgLogConfig: { errors: kmsgLogErrors },
  OOMConfig: { errors: oomErrors },
  SideroLinkConfig: { errors: sideroLinkErrors },
  WatchdogTimerConfig: { errors: watchdogErrors },
}

function* environmentErrors(fields: ValueMap): Iterable<string> {
  for (const name of keysAt(fields, 'variables')) {
    if (!VARIABLE.test(name)) yield `invalid environment variable name: ${quote(name)}`
  }
}

function* eventSinkErrors(fields: ValueMap): Iterable<string> {
  const problem = hostPortProblem(textAt(fields, 'endpoint'))
  if (problem !== undefined) yield `event sink endpoint: ${problem}`
}

function* extensionErrors(fields: ValueMap): Iterable<string> {
  const name = textAt(fields, 'name')
  const files = sectionsAt(fields, 'configFiles')
  const missing = files.flatMap((file) => [
    ...(textAt(file, 'content') === '' ? ['content'] : []),
    ...(textAt(file, 'mountPath') === '' ? ['mount path'] : []),
  ])
  if (name === '') yield 'name is required'
  else if (files.length === 0 && itemsAt(fields, 'environment').length === 0) {
    yield `no config files found for extension ${quote(name)}`
  } else if (missing[0] !== undefined) {
    yield `extension ${missing[0]} is required for extension ${quote(name)}`
  }
}

function* kmsgLogErrors(fields: ValueMap): Iterable<string> {
  const url = textAt(fields, 'url')
  const { scheme, path, port } = urlParts(url)
  if (textAt(fields, 'name') === '') yield 'name is required'
  else if (url === '') yield 'url is required'
  else if (scheme !== 'tcp' && scheme !== 'udp') yield 'url scheme must be tcp:// or udp://'
  else if (path !== '' && path !== '/') yield 'url path must be empty'
  else if (port === '') yield 'url port is required'
}

function* oomErrors(fields: ValueMap): Iterable<string> {
  const trigger = textAt(fields, 'triggerExpression')
  const triggerProblem = trigger === '' ? undefined : expressionProblem(trigger, 'oom-trigger')
  if (triggerProblem !== undefined) yield `OOM trigger expression is invalid: ${triggerProblem}`
  const ranking = textAt(fields, 'cgroupRankingExpression')
  const rankingProblem = ranking === '' ? undefined : expressionProblem(ranking, 'oom-ranking')
  if (rankingProblem !== undefined) {
    yield `OOM cgroup scoring expression is invalid: ${rankingProblem}`
  }
  if (textAt(fields, 'sampleInterval').startsWith('-')) {
    yield 'OOM sample interval must be longer than 0'
  }
}

function* sideroLinkErrors(fields: ValueMap): Iterable<string> {
  const url = textAt(fields, 'apiUrl')
  const { scheme, path } = urlParts(url)
  if (url === '') yield 'apiUrl is required'
  else if (scheme !== 'https' && scheme !== 'grpc') {
    yield 'apiUrl scheme must be https:// or grpc://'
  } else if (path !== '' && path !== '/') yield 'apiUrl path must be empty'
}

function* watchdogErrors(fields: ValueMap): Iterable<string> {
  const timeout = parseGoDuration(textAt(fields, 'timeout')) ?? 0n
  if (textAt(fields, 'device') === '') yield 'watchdog device: empty value'
  else if (timeout !== 0n && timeout < SHORTEST_WATCHDOG) {
    yield 'watchdog timeout: minimum value is 10s'
  }
}
