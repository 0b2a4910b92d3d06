import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'

const etcd = placed('etcd', 'etcd.talos.dev')

/** What etcd on a control plane is, or is going to be. */
export function etcdResources(view: MachineView): ShownResource[] {
  const { facts, hostname, address, etcdMemberId, isTimeSynced } = view
  if (facts?.type !== 'controlplane' || !view.hasBootDisk) return []
  return [
    etcd('EtcdSpecs', 'etcd', {
      name: hostname,
      advertisedAddresses: [address],
      listenPeerAddresses: ['::'],
      listenClientAddresses: ['::'],
      image: facts.images.etcd,
      extraArgs: {},
    }),
    ...(isTimeSynced ? [etcd('PKIStatuses', 'etcd', { ready: true, version: '1' })] : []),
    ...(etcdMemberId === undefined
      ? []
      : [etcd('EtcdMembers', 'local', { memberID: etcdMemberId.toString(16).padStart(16, '0') })]),
  ]
}
