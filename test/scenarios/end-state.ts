import { Node, Secret } from '#api/foreign.ts'
import { COPIED } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { objectsIn } from './cluster-content.ts'
import { filesIn } from './files-in.ts'
import { APPLIED } from './objects.ts'
import type { World } from './world.ts'

/** What is there in the end, without what is another each time: keys, ids and times. */
export async function endState(world: World): Promise<string[]> {
  const kinds = [...APPLIED, ProvidedMachine]
  const objects = (await Promise.all(kinds.map((kind) => world.objects.list(kind)))).flat()
  const secrets = await world.objects.list(Secret)
  const files = await world.clock.elsewhere(() => filesIn(world.resultsFolder))
  return [
    ...objects.map(linesOf),
    ...files.map((file) => `file ${file}`),
    ...secrets.map(
      ({ metadata, data }) => `Secret ${metadata.name}: ${Object.keys(data ?? {}).sort()}`,
    ),
    ...world.fleet.machines.map(
      ({ address, stage, isReady, type, etcd }) =>
        `machine ${address}: ${stage} ${isReady} ${type} ${etcd ? 'with etcd' : ''}`,
    ),
    ...membersIn(world),
    ...(await cordonedIn(world)),
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

/** The nodes to which no pods come, by the addresses of their machines. */
async function cordonedIn({ fleet }: World): Promise<string[]> {
  const nodes = await objectsIn(fleet, Node)
  return nodes
    .filter(({ spec }) => spec?.unschedulable)
    .map(({ status }) => {
      const uuid = status?.nodeInfo?.systemUUID
      const machine = fleet.machines.find(({ hardware }) => hardware.uuid === uuid)
      return `the node of ${machine?.address} is cordoned`
    })
}

interface Shown extends KubeObject {
  status?: {
    state?: string
    phase?: string
    conditions?: { type?: string; status?: string; reason?: string }[]
  }
}

function linesOf({ kind, metadata, status }: Shown): string {
  const conditions = (status?.conditions ?? []).map(
    ({ type, status: is, reason }) => `${type}=${is} (${reason})`,
  )
  const { annotations = {}, finalizers = [] } = metadata
  // Only notes which of the others are from a cluster.
  const noted = Object.keys(annotations).filter((key) => key !== COPIED)
  return [
    `${kind} ${metadata.name}: ${status?.state ?? status?.phase ?? ''}`,
    ...[...conditions, ...noted, ...finalizers].sort(),
  ].join(' ')
}
