import { Secret } from '#api/foreign.ts'
import { COPIED } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import { OURS } from './objects.ts'
import type { World } from './world.ts'

/** What is there in the end, without what is another each time: keys, ids and times. */
export async function endState(world: World): Promise<string[]> {
  const objects = (await Promise.all(OURS.map((kind) => world.objects.list(kind)))).flat()
  const secrets = await world.objects.list(Secret)
  return [
    ...objects.map(linesOf),
    ...secrets.map(
      ({ metadata, data }) => `Secret ${metadata.name}: ${Object.keys(data ?? {}).sort()}`,
    ),
    ...world.fleet.machines.map(
      ({ address, stage, isReady, type, etcd }) =>
        `machine ${address}: ${stage} ${isReady} ${type} ${etcd ? 'with etcd' : ''}`,
    ),
    ...membersIn(world),
  ].sort()
}

/** The members of etcd and the nodes of each cluster, by the addresses of their machines. */
function membersIn({ fleet }: World): string[] {
  return fleet.clusters
    .flatMap(({ halves }) => halves)
    .flatMap(({ etcd, kubernetes }) => {
      const members = etcd.members.map(({ peerUrls }) => peerUrls.join())
      const nodes = fleet.machines.filter(({ hostname }) => kubernetes.node(hostname ?? ''))
      return [
        `etcd of ${members.sort().join(' ')}`,
        `nodes of ${nodes.map(({ address }) => address).join(' ')}`,
      ]
    })
}

interface Shown extends KubeObject {
  status?: { state?: string; conditions?: { type: string; status: string; reason: string }[] }
}

function linesOf({ kind, metadata, status }: Shown): string {
  const conditions = (status?.conditions ?? []).map(
    ({ type, status: is, reason }) => `${type}=${is} (${reason})`,
  )
  const { annotations = {}, finalizers = [] } = metadata
  // Only notes which of the others are from a cluster.
  const noted = Object.keys(annotations).filter((key) => key !== COPIED)
  return [
    `${kind} ${metadata.name}: ${status?.state ?? ''}`,
    ...[...conditions, ...noted, ...finalizers].sort(),
  ].join(' ')
}
