import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import {
  itemsAt,
  numberAt,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
} from '#machineconfig/validate/checks/fields.ts'
import type { RulesByKind } from './kind-rules.ts'
import { importErrors } from './route-imports.ts'

/** Routing with neighbours. */
export const bgpRules: RulesByKind = {
  BGPInstanceConfig: { errors: instanceErrors, warnings: instanceWarnings },
}

function* instanceWarnings(fields: ValueMap): Iterable<string> {
  if (itemsAt(fields, 'neighbors').length === 0) {
    yield 'BGPInstanceConfig has no neighbors configured'
  }
}

function* instanceErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'name') === '') yield 'name must be specified'
  if (numberAt(fields, 'localASN') === 0) yield 'localASN must be specified'
  if (textAt(fields, 'routerID').includes(':')) yield 'routerID must be an IPv4 address'
  yield* neighborErrors(fields)
  yield* importErrors(textAt(fields, 'name'), sectionsAt(fields, 'importRoutes'))
}

function* neighborErrors(fields: ValueMap): Iterable<string> {
  const seen = new Set<string>()
  const isBound = textAt(fields, 'vrf') !== ''
  for (const [i, neighbor] of sectionsAt(fields, 'neighbors').entries()) {
    const [address, link] = [textAt(neighbor, 'address'), textAt(neighbor, 'link')]
    const isNamed = (address === '') !== (link === '')
    const key = address || link
    if (!isNamed) yield `neighbor[${i}]: exactly one of address or link must be set`
    for (const problem of sessionProblems(neighbor, isBound)) yield `neighbor[${i}]: ${problem}`
    if (isNamed && seen.has(key)) yield `neighbor[${i}]: duplicate neighbor ${quote(key)}`
    if (isNamed) seen.add(key)
  }
}

function* sessionProblems(neighbor: Section, isBound: boolean): Iterable<string> {
  if (isNegative(neighbor, 'holdTime')) yield 'holdTime must not be negative'
  const bfd = sectionAt(neighbor, 'bfd')
  if (bfd === undefined) return
  if (isBound) yield 'bfd is not supported for VRF-bound BGP instances'
  for (const key of ['transmitInterval', 'receiveInterval']) {
    if (isNegative(bfd, key)) yield `bfd.${key} must not be negative`
  }
}

const isNegative = (section: Section, key: string): boolean => textAt(section, key).startsWith('-')
