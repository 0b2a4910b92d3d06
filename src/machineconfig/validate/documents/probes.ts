import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { numberAt, textAt } from '#machineconfig/validate/checks/fields.ts'
import { urlParts } from '#machineconfig/validate/checks/url-parts.ts'
import type { RulesByKind } from './kind-rules.ts'

/** What the machine looks for in its network. */
export const probeRules: RulesByKind = {
  TCPProbeConfig: { errors: tcpProbeErrors },
  HTTPProbeConfig: { errors: httpProbeErrors },
}

function* tcpProbeErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'name') === '') yield 'probe name is required'
  if (textAt(fields, 'endpoint') === '') yield 'TCP probe endpoint is required'
  yield* negative(fields, 'timeout', 'TCP probe timeout')
  yield* scheduleErrors(fields)
}

function* httpProbeErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'name') === '') yield 'probe name is required'
  const url = textAt(fields, 'url')
  const { scheme, hostname, opaque } = urlParts(url)
  if (url === '') yield 'HTTP probe URL is required'
  else if (scheme !== 'http' && scheme !== 'https') {
    yield `HTTP probe URL scheme must be http or https, got ${quote(scheme)}`
  } else if (opaque !== '' || hostname === '') {
    yield 'HTTP probe URL must be an absolute http or https URL with a non-empty host'
  }
  yield* negative(fields, 'timeout', 'HTTP probe timeout')
  yield* scheduleErrors(fields)
}

function* scheduleErrors(fields: ValueMap): Iterable<string> {
  yield* negative(fields, 'interval', 'probe interval')
  const threshold = numberAt(fields, 'failureThreshold')
  if (threshold < 0) yield `probe failure threshold cannot be negative: ${threshold}`
}

function* negative(fields: ValueMap, key: string, what: string): Iterable<string> {
  const duration = textAt(fields, key)
  if (duration.startsWith('-')) yield `${what} cannot be negative: ${duration}`
}
