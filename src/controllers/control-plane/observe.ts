import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { isToBeImported } from '#engine/adoption.ts'
import type { ClusterSeen } from '#engine/cluster-nodes-seen.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { areMadeFor } from '#engine/cluster-secrets.ts'
import type { SecretsDecision } from '#engine/cluster-secrets-decision.ts'
import { holdOn } from '#engine/cluster-secrets-hold.ts'
import { configTextOf } from '#engine/config-ref.ts'
import { kubernetesAccess } from '#engine/credentials-kubernetes.ts'
import { liveObject } from '#engine/live-object.ts'
import { isOldSpec } from '#engine/old-spec.ts'
import { resolveEntries } from '#engine/pool-entries.ts'
import type { PoolProblem } from '#engine/pool-input.ts'
import { inSpecOrder, type MachinePlan, machinePlan } from '#engine/pool-plan.ts'
import { poolProblem } from '#engine/pool-problems.ts'
import { endpointProblem } from '#engine/pool-problems-network.ts'
import { poolWarnings } from '#engine/pool-warnings.ts'
import { sharedConfig } from '#engine/shared-config.ts'
import { sharedSecretsWarnings } from '#engine/shared-secrets.ts'
import { seeTurns } from '#engine/turn-steps.ts'
import { unseenMachines } from '#engine/unseen-machines.ts'
import { endpointOf } from '#engine/wanted-config-cluster.ts'
import { keyOf } from '#kube/cache.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { Reader } from '#runtime/reader.ts'
import { DeliveriesSeen } from './deliveries-seen.ts'
import { lookAtKubelets } from './look-kubelets.ts'
import { lookAtKubernetes } from './look-kubernetes.ts'
import { lookAtSecrets } from './look-secrets.ts'
import { hasBegun, hasLeft } from './machine-facts.ts'
import { strayNodes } from './stray-nodes.ts'
import { unknownNodes } from './unknown-nodes.ts'
import type { Secrets, World } from './world.ts'

/** Looks at the control plane's machines, Secrets and API. */
export const observe = (ports: ClusterPorts) => {
  const deliveries = new DeliveriesSeen(ports.clock)
  return async (controlPlane: ControlPlane, read: Reader): Promise<World> => {
    const { nodes, credentials, writesMeta } = ports
    const [configText, { entries, problems }] = await Promise.all([
      configTextOf(controlPlane.spec, read),
      resolveEntries(controlPlane, (ref) => read.fetchAny(ref)),
    ])
    const all = read.list(Machine)
    const pool = machinePlan(controlPlane, entries, all)
    const seen = await machinesOf(controlPlane, pool, { all, read })
    const isStaying = controlPlane.metadata.deletionTimestamp === undefined
    const machines = isStaying ? await asTheyAre(seen, read) : seen
    const pools = await poolsOf(controlPlane, machines, read)
    const workers = pools.map(({ metadata }) => metadata.name)
    const { decision, secret } = await lookAtSecrets(
      { controlPlane, machines, workers, configText },
      read,
    )
    const bundle = 'bundle' in decision ? decision.bundle : undefined
    const input = {
      ...{ controlPlane, addresses: entries.map(({ address }) => address) },
      ...{ isMetaWritten: writesMeta, ...(bundle && { bundle }) },
      ...(configText !== undefined && { configText }),
      // Later it is the pool that has to give way.
      ...(!hasBegun(machines) && { workers: pools }),
    }
    const problem = poolProblem(input)
    const cluster = keyOf(controlPlane)
    const known = { controlPlane, machines, decision, problem, configText, read }
    const { due, taken, config } = await lookAtKnown(known, { ...ports, deliveries })
    if (isGone(controlPlane, machines)) forget(cluster, ports)
    const clusterSeen = nodes.seen(cluster)
    const isApiAnswering = clusterSeen.api.is === 'answering'
    const inCluster = { controlPlane, machines, pools, all, bundle, isApiAnswering }
    return {
      ...{ machines, pool, problem, workers, due, taken, unresolved: problems[0] },
      isOld: await isOldSpec(ControlPlane, controlPlane, { pool, read }),
      turns: await seeTurns(controlPlane, seen, read),
      warnings: [
        ...poolWarnings(input),
        ...sharedSecretsWarnings(controlPlane, read.list(ControlPlane)),
      ],
      ...{
        secrets: secretsIn(decision, areMadeFor(controlPlane, secret)),
        hold: holdOn(secret),
      },
      ...nodesIn(clusterSeen, { machines, pools, all }),
      kubernetes: await lookAtKubernetes(inCluster, { nodes, read }),
      kubelets: await lookAtKubelets(inCluster, read),
      means: {
        ...(bundle && { bundle, access: await credentials.of(bundle, cluster) }),
        ...(config && { config }),
        ...(secret && { secret: { metadata: secret.metadata } }),
      },
    }
  }
}

/** What there is to know of its nodes. */
const nodesIn = (
  seen: ClusterSeen,
  around: Parameters<typeof unknownNodes>[1],
): Pick<World, 'api' | 'strays' | 'unknownNodes' | 'areNodesMarked'> => ({
  ...{ api: seen.api, strays: strayNodes(seen, around.all) },
  unknownNodes: unknownNodes(seen, around),
  areNodesMarked: seen.nodes.some(({ drain }) => drain !== undefined),
})

interface Known {
  controlPlane: ControlPlane
  machines: readonly Machine[]
  decision: SecretsDecision
  problem: PoolProblem | undefined
  configText: string | undefined
  read: Reader
}

/**
 * Who answers for it is followed from the first; what a user needs is shown when it has begun. A spec that has become
 * wrong since takes neither away: nobody loses a cluster that runs, unless the spec does not say where it is.
 */
async function lookAtKnown(known: Known, ports: ClusterPorts & { deliveries: DeliveriesSeen }) {
  const { controlPlane, machines, decision, problem, configText, read } = known
  const nothing = { due: [], taken: [], config: undefined }
  const isKept = hasBegun(machines) && !endpointProblem({ controlPlane })
  const isImporting = isToBeImported(controlPlane)
  const isOwn = decision.do === 'use' || isImporting
  if (!isOwn || !('bundle' in decision) || (problem && !isKept)) return nothing
  const { bundle } = decision
  follow(controlPlane, bundle, ports)
  // What is not ours yet is handed out to nobody.
  if (!hasBegun(machines) || isImporting) return nothing
  const begun = { controlPlane, machines, bundle }
  const config = problem ? undefined : sharedConfig({ ...begun, configText })
  const from = { ...begun, config, clock: ports.clock }
  return { ...(await ports.deliveries.dueOf(from, read)), config }
}

const isGone = ({ metadata }: ControlPlane, machines: readonly Machine[]): boolean =>
  machines.length === 0 && metadata.deletionTimestamp !== undefined

/** All that are of the control plane: those that the spec wants in its order, then the others. */
async function machinesOf(
  controlPlane: ControlPlane,
  pool: MachinePlan,
  { all, read }: { all: readonly Machine[]; read: Reader },
): Promise<Machine[]> {
  const { metadata } = controlPlane
  const own = all.filter(
    ({ spec }) => !spec?.workerRef && spec?.controlPlaneRef?.name === metadata.name,
  )
  // Before what goes is believed to have none.
  if (own.length === 0 && metadata.deletionTimestamp !== undefined)
    return unseenMachines(controlPlane, read)
  return inSpecOrder(own, pool)
}

/**
 * Those that go as the API has them: what a user said since, that it is to be spared or let go, holds before its etcd
 * is emptied. Who is gone by then is not among them.
 */
async function asTheyAre(machines: readonly Machine[], read: Reader): Promise<Machine[]> {
  const found = await Promise.all(
    machines.map(async (machine) => {
      const { name, uid, deletionTimestamp } = machine.metadata
      if (deletionTimestamp === undefined || hasLeft(machine)) return machine
      const live = await liveObject(Machine, name, read)
      return live?.metadata.uid === uid ? live : undefined
    }),
  )
  return found.filter((machine) => machine !== undefined)
}

function secretsIn(decision: SecretsDecision, areOwn: boolean): Secrets {
  switch (decision.do) {
    case 'use':
      return { is: 'there', clusterId: decision.bundle.cluster.id, areBrought: !areOwn }
    case 'create':
      return { is: 'to be made', from: decision.from }
    case 'refuse':
      return { is: 'refused', reason: decision.reason, message: decision.message }
  }
}

function follow(
  controlPlane: ControlPlane,
  bundle: SecretsBundle,
  { nodes, clock }: ClusterPorts,
): void {
  const clusterName = controlPlane.metadata.name
  const access = kubernetesAccess({
    bundle,
    clusterName,
    endpoint: endpointOf(controlPlane),
    clock,
  })
  nodes.follow(keyOf(controlPlane), { identity: bundle.cluster.id, access })
}

/** What is kept in memory of a cluster goes with it. */
function forget(cluster: string, { nodes, credentials }: ClusterPorts): void {
  nodes.forget(cluster)
  credentials.forget(cluster)
}

/** Its pools. Before a control plane goes because it has none, the API is asked for those that no cache shows. */
async function poolsOf(
  controlPlane: ControlPlane,
  machines: readonly Machine[],
  read: Reader,
): Promise<Worker[]> {
  const isOfIt = ({ spec }: Worker) => spec?.controlPlaneRef?.name === controlPlane.metadata.name
  const seen = read.list(Worker).filter(isOfIt)
  if (seen.length > 0 || !isAboutToGo(controlPlane, machines)) return seen
  return (await read.fetchAll(Worker, controlPlane)).filter(isOfIt)
}

/** Whether a machine of it goes next, or it does itself. While machines go, it waits. */
const isAboutToGo = ({ metadata }: ControlPlane, machines: readonly Machine[]): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (machines.length === 0 || machines.some((one) => one.metadata.deletionTimestamp === undefined))
