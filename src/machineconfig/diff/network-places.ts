import type { Change } from './changes.ts'

/** The documents by which a machine can lose its network, or whoever reaches it through that. */
const DOCUMENTS: ReadonlySet<string> = new Set([
  ...['LinkConfig', 'LinkAliasConfig', 'EthernetConfig', 'DummyLinkConfig', 'BondConfig'],
  ...['BridgeConfig', 'VLANConfig', 'VRFConfig', 'VethConfig', 'WireguardConfig'],
  ...['DHCPv4Config', 'DHCPv6Config', 'Layer2VIPConfig', 'HCloudVIPConfig', 'HostnameConfig'],
  ...['ResolverConfig', 'StaticHostConfig', 'RoutingRuleConfig', 'BlackholeRouteConfig'],
  ...['BGPInstanceConfig', 'NetworkRuleConfig', 'NetworkDefaultActionConfig', 'KubeSpanConfig'],
])

/** Whether a change is one of the machine's network. */
export function isOfNetwork({ document, path }: Pick<Change, 'document' | 'path'>): boolean {
  const [kind = ''] = document.split(' ')
  if (kind !== 'v1alpha1') return DOCUMENTS.has(kind)
  return /^machine\.network($|[.[])/.test(path)
}
