import { isIPv6 } from 'node:net'
import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'

const network = placed('network', 'net.talos.dev')

const LINK = 'eth0'
const FIRST_WITH_SORTING = 9

/** Addresses, names and links. There is one link, with one address. */
export function networkResources(view: MachineView): ShownResource[] {
  const { hostname, isNetworkReady, address, facts } = view
  const status = network('NetworkStatuses', 'status', {
    addressReady: isNetworkReady,
    connectivityReady: isNetworkReady,
    hostnameReady: isNetworkReady,
    etcFilesReady: isNetworkReady,
  })
  if (!isNetworkReady) return [status, linkResource(view)]
  const filters = facts ? ['', '-no-k8s', '-only-k8s'] : ['']
  return [
    status,
    linkResource(view),
    network('HostnameStatuses', 'hostname', { hostname, domainname: '' }),
    network('ResolverStatuses', 'resolvers', { dnsServers: ['1.1.1.1', '8.8.8.8'] }),
    addressResource(address),
    routeResource(address),
    ...['default', 'current', 'accumulative', 'routed'].flatMap((id) =>
      filters.map((filter) => nodeAddress(view, id, filter)),
    ),
  ]
}

function nodeAddress({ address, minor }: MachineView, id: string, filter: string): ShownResource {
  return network('NodeAddresses', `${id}${filter}`, {
    addresses: filter === '-only-k8s' ? [] : [prefixOf(address)],
    ...(minor >= FIRST_WITH_SORTING && { sortAlgorithm: 'v1' }),
  })
}

const prefixOf = (address: string): string => `${address}/${isIPv6(address) ? 64 : 24}`

const familyOf = (address: string): string => (isIPv6(address) ? 'inet6' : 'inet4')

const addressResource = (address: string): ShownResource =>
  network('AddressStatuses', `${LINK}/${prefixOf(address)}`, {
    address: prefixOf(address),
    local: address,
    linkIndex: 2,
    linkName: LINK,
    family: familyOf(address),
    scope: 'global',
    flags: 'permanent',
    priority: 0,
  })

function routeResource(address: string): ShownResource {
  const gateway = isIPv6(address) ? address.replace(/[^:]*$/, '1') : address.replace(/\d+$/, '254')
  return network('RouteStatuses', `${familyOf(address)}/${gateway}//1024`, {
    family: familyOf(address),
    dst: '',
    src: '',
    gateway,
    outLinkIndex: 2,
    outLinkName: LINK,
    table: 'main',
    priority: 1024,
    scope: 'global',
    type: 'unicast',
    flags: '',
    protocol: 'boot',
  })
}

const linkResource = ({ hardware }: MachineView): ShownResource =>
  network('LinkStatuses', LINK, {
    index: 2,
    type: 'ether',
    linkIndex: 0,
    flags: 'UP,BROADCAST,RUNNING,MULTICAST,LOWER_UP',
    hardwareAddr: hardware.macAddress,
    permanentAddr: hardware.macAddress,
    broadcastAddr: 'ff:ff:ff:ff:ff:ff',
    mtu: 1500,
    queueDisc: 'pfifo_fast',
    operationalState: 'up',
    kind: '',
    slaveKind: '',
    busPath: '0000:00:03.0',
    driver: 'virtio_net',
    linkState: true,
    speedMbit: 10_000,
    port: 'Other',
    duplex: 'Full',
  })
