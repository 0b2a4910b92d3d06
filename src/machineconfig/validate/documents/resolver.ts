import type { ValueMap } from '#machineconfig/document.ts'
import {
  isOn,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
  textsAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import { isAddress } from '#machineconfig/validate/checks/ip.ts'
import type { RuleContext, RulesByKind } from './kind-rules.ts'

const ENCRYPTED = ['DoT', 'DoH']
const ALL_ENCRYPTED =
  'all configured nameservers use encrypted DNS (DoT or DoH): validating certificates requires a correct system clock, ' +
  'so boot may stall when NTP servers are configured by hostname; consider keeping at least one plain-DNS fallback ' +
  'or configuring NTP servers by IP address'

/** How names are resolved. Before v1.14 such a document is not looked into. */
export const resolverRules: RulesByKind = {
  ResolverConfig: {
    errors: resolverErrors,
    warnings: resolverWarnings,
    legacyConflict: resolverConflict,
  },
}

function* resolverErrors(fields: ValueMap, { minor }: RuleContext): Iterable<string> {
  if (minor < 14) return
  const hostDns = sectionAt(fields, 'hostDNS')
  for (const key of ['forwardKubeDNSToHost', 'resolveMemberNames']) {
    if (!isOn(hostDns, 'enabled') && isOn(hostDns, key)) {
      yield `hostDNS.${key} cannot be enabled when hostDNS.enabled is false`
    }
  }
  for (const [i, server] of sectionsAt(fields, 'nameservers').entries()) {
    for (const problem of serverProblems(server)) yield `${problem}: entry ${i}`
  }
}

function* serverProblems(server: Section): Iterable<string> {
  const protocol = textAt(server, 'protocol') || 'Do53'
  const isNamed = textAt(server, 'tlsServerName') !== ''
  if (isNamed !== ENCRYPTED.includes(protocol)) {
    yield `tlsServerName must be ${isNamed ? 'empty' : 'set'} when protocol is ${protocol}`
  }
  if (textAt(server, 'address') === '') yield 'nameserver address must be a valid IP'
}

function* resolverWarnings(fields: ValueMap, { minor }: RuleContext): Iterable<string> {
  const servers = sectionsAt(fields, 'nameservers')
  const isEncrypted = servers.every((server) => ENCRYPTED.includes(textAt(server, 'protocol')))
  if (minor >= 14 && servers.length > 0 && isEncrypted) yield ALL_ENCRYPTED
}

function resolverConflict(
  fields: ValueMap,
  legacy: ValueMap,
  { minor }: RuleContext,
): string | undefined {
  const machine = sectionAt(legacy, 'machine')
  const network = sectionAt(machine, 'network')
  const told = (key: string): string => `${key} is already set in v1alpha1 config`
  if (valueAt(network, 'searchDomains') !== undefined) return told('.machine.network.searchDomains')
  if (textsAt(network, 'nameservers').some(isAddress)) return told('.machine.network.nameservers')
  if (isOn(network, 'disableSearchDomain')) return told('.machine.network.disableSearchDomain')
  const hasHostDns = (section: Section): boolean =>
    Object.keys(sectionAt(section, 'hostDNS') ?? {}).length > 0
  const isTwice = hasHostDns(fields) && sectionAt(sectionAt(machine, 'features'), 'hostDNS')
  return minor >= 14 && isTwice ? told('.machine.features.hostDNS') : undefined
}
