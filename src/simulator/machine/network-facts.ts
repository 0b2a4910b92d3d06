import { BlockList, isIPv6 } from 'node:net'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'

/** What a configuration leaves of the way to a machine. */
export interface NetworkFacts {
  /** Whether a machine has this address still, which DHCP gave to its only link. */
  keeps(address: string): boolean
  /** Whether the firewall lets new callers of Talos' API in: by its port alone, whoever they are. */
  readonly letsApiIn: boolean
}

const LINK = 'eth0'
const API_PORT = 50_000

// As soon as there is one of them, DHCP is nowhere unless it is asked for.
const LINK_KINDS = [
  ...['LinkConfig', 'BondConfig', 'BridgeConfig', 'DummyLinkConfig', 'VLANConfig'],
  ...['VRFConfig', 'VethConfig', 'WireguardConfig'],
]
const DHCP_KINDS = ['DHCPv4Config', 'DHCPv6Config']

/** Reads `machine.network.interfaces`, the documents of links, and those of the firewall. */
export function networkFacts(machine: ConfigPlace, config: MachineConfig): NetworkFacts {
  const documents = (...kinds: readonly string[]) =>
    config.documents
      .filter(({ kind }) => kinds.includes(kind.kind))
      .map(({ fields }) => new ConfigPlace(fields))
  const devices = machine.at('network', 'interfaces').items.filter((one) => !isTrue(one, 'ignore'))
  const [links, dhcp] = [documents(...LINK_KINDS), documents(...DHCP_KINDS)]
  const isLeftAlone = links.length === 0 && dhcp.length === 0 && !devices.some(touchesLink)
  const hasDhcp = isLeftAlone || dhcp.length > 0 || devices.some(asksForDhcp)
  const given = [...devices.flatMap(addressesOf), ...links.flatMap(documentedAddresses)]
  return {
    keeps: (address) => hasDhcp || given.some((one) => isSameAddress(one, address)),
    letsApiIn: letsApiIn(documents('NetworkDefaultActionConfig'), documents('NetworkRuleConfig')),
  }
}

/** Whether a device is about the only link there is. A selector is meant to find it. */
function touchesLink(device: ConfigPlace): boolean {
  const parts = [
    ...device.at('bond', 'interfaces').items,
    ...device.at('bridge', 'interfaces').items,
  ]
  return (
    device.text('interface') === LINK ||
    device.at('deviceSelector').value !== undefined ||
    device.at('bond', 'deviceSelectors').items.length > 0 ||
    parts.some(({ value }) => value === LINK)
  )
}

const asksForDhcp = (device: ConfigPlace): boolean =>
  isTrue(device, 'dhcp') || device.at('vlans').items.some((vlan) => isTrue(vlan, 'dhcp'))

const addressesOf = (device: ConfigPlace): string[] =>
  [device, ...device.at('vlans').items].flatMap((place) => [
    // The older of two ways to write it.
    place.text('cidr'),
    ...place.at('addresses').items.map((item) => item.text()),
  ])

const documentedAddresses = (link: ConfigPlace): string[] =>
  link.at('addresses').items.map((item) => item.text('address'))

const isTrue = (place: ConfigPlace, name: string): boolean => place.at(name).value === true

function isSameAddress(given: string, own: string): boolean {
  const [address = ''] = given.split('/')
  const family = isIPv6(own) ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  list.addAddress(own, family)
  try {
    return list.check(address, family)
  } catch {
    return false
  }
}

/** A rule names those who get in. Where all are shut out it opens a port for them, else it shuts all others out. */
function letsApiIn(actions: readonly ConfigPlace[], rules: readonly ConfigPlace[]): boolean {
  const ofApi = rules.filter(
    (rule) =>
      rule.text('portSelector', 'protocol') === 'tcp' &&
      rule.at('portSelector', 'ports').items.some(hasApiPort),
  )
  const letsSomebodyIn = (rule: ConfigPlace) => rule.at('ingress').items.length > 0
  return actions.some((action) => action.text('ingress') === 'block')
    ? ofApi.some(letsSomebodyIn)
    : ofApi.every(letsSomebodyIn)
}

/** `50000` or `49000-51000`. */
function hasApiPort({ value }: ConfigPlace): boolean {
  const [low, high = low] = String(value).split('-').map(Number)
  return low !== undefined && high !== undefined && low <= API_PORT && API_PORT <= high
}
