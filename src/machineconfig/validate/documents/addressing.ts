import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { readAddress, readPrefix } from '#machineconfig/read/leaves/address.ts'
import { numberAt, sectionAt, textAt } from '#machineconfig/validate/checks/fields.ts'
import { expressionProblem } from '#machineconfig/validate/expressions/expression.ts'
import type { RulesByKind } from './kind-rules.ts'

const LARGEST_PRIORITY = 2 ** 32 - 1
const RESERVED_PRIORITIES = [0, 32_500, 32_766, 32_767]

/** What gives links their names, addresses and routes. */
export const addressingRules: RulesByKind = {
  EthernetConfig: { errors: ethernetErrors },
  LinkAliasConfig: { errors: aliasErrors },
  DHCPv4Config: { errors: dhcpErrors },
  DHCPv6Config: { errors: dhcpErrors },
  Layer2VIPConfig: { errors: vipErrors },
  HCloudVIPConfig: { errors: hcloudVipErrors },
  BlackholeRouteConfig: { errors: blackholeErrors },
  RoutingRuleConfig: { errors: routingRuleErrors },
}

function* ethernetErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'name') === '') yield 'name is required'
}

function* aliasErrors(fields: ValueMap): Iterable<string> {
  const name = textAt(fields, 'name')
  if (name === '') yield 'name must be specified'
  else if (name.includes('%') && !/^[^%]+%d$/.test(name)) {
    yield `name ${quote(name)} contains an invalid format verb, use %d suffix`
  }
  const match = textAt(sectionAt(fields, 'selector'), 'match')
  if (match === '') yield 'link selector is required'
  const problem = match === '' ? undefined : expressionProblem(match, 'link')
  if (problem !== undefined) yield `link selector is invalid: ${problem}`
}

function* dhcpErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'name') === '') yield 'name must be specified'
  const isRaw = textAt(fields, 'duidRaw') !== ''
  const isDuid = textAt(fields, 'clientIdentifier') === 'duid'
  if (isRaw && !isDuid) yield "duidRaw can only be set if clientIdentifier is 'duid'"
  if (isDuid && !isRaw) yield "duidRaw must be set if clientIdentifier is 'duid'"
}

function* vipErrors(fields: ValueMap): Iterable<string> {
  const name = textAt(fields, 'name')
  const address = readAddress(name)
  if (name === '') yield 'name must be specified'
  else if (typeof address !== 'string') yield `name must be a valid IP address: ${address.why}`
  if (textAt(fields, 'link') === '') yield 'link must be specified'
}

function* hcloudVipErrors(fields: ValueMap): Iterable<string> {
  yield* vipErrors(fields)
  if (textAt(fields, 'apiToken') === '') yield 'apiToken must be specified'
}

function* blackholeErrors(fields: ValueMap): Iterable<string> {
  const name = textAt(fields, 'name')
  const prefix = readPrefix(name)
  if (name === '') {
    yield 'name must be specified'
    yield `name must be a valid address prefix: netip.ParsePrefix(""): no '/'`
  } else if (typeof prefix !== 'string') yield `name must be a valid address prefix: ${prefix.why}`
}

function* routingRuleErrors(fields: ValueMap): Iterable<string> {
  const name = textAt(fields, 'name')
  if (name === '') yield 'name must be specified'
  const isNumber = /^[0-9]+$/.test(name)
  const isInRange = isNumber && Number(name) <= LARGEST_PRIORITY
  if (!isInRange) {
    const why = isNumber ? 'value out of range' : 'invalid syntax'
    yield `invalid name: must be priority parsable unsigned integer: strconv.ParseUint: parsing ${quote(name)}: ${why}`
  }
  // What is no number counts as 0, as Go has it.
  if (RESERVED_PRIORITIES.includes(isNumber ? Number(name) : 0)) {
    yield `priority must be between 1 and 32765 (excluding reserved priorities [${RESERVED_PRIORITIES.join(' ')}])`
  }
  const isTabled = !['', 'unspec'].includes(textAt(fields, 'table'))
  const isOtherAction = !['', 'unspec', 'unicast'].includes(textAt(fields, 'action'))
  if (!isTabled && !isOtherAction) yield 'either table or a non-unicast action must be specified'
  if (numberAt(fields, 'fwMask') !== 0 && numberAt(fields, 'fwMark') === 0) {
    yield 'fwMask requires fwMark to be set'
  }
}
