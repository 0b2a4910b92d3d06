import type { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { secretsNameOf } from '#engine/cluster-secrets.ts'
import {
  type SecretsDecision,
  type SecretsEvidence,
  secretsDecision,
} from '#engine/cluster-secrets-decision.ts'
import { holdOn } from '#engine/cluster-secrets-hold.ts'
import { stateNameOf } from '#engine/cluster-secrets-published.ts'
import { configTextOf } from '#engine/config-ref.ts'
import { kubernetesAccess } from '#engine/credentials-kubernetes.ts'
import { resolveEntries } from '#engine/pool-entries.ts'
import type { PoolProblem } from '#engine/pool-input.ts'
import { type MachinePlan, machinePlan } from '#engine/pool-plan.ts'
import { poolProblem } from '#engine/pool-problems.ts'
import { poolWarnings } from '#engine/pool-warnings.ts'
import { sharedConfig } from '#engine/shared-config.ts'
import { endpointOf } from '#engine/wanted-config-cluster.ts'
import { keyOf } from '#kube/cache.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { Reader } from '#runtime/reader.ts'
import { dueOf } from './deliveries.ts'
import { hasBegun, isClaimed } from './machine-facts.ts'
import type { Secrets, World } from './world.ts'

/** Looks at the control plane's machines, Secrets and API. */
export const observe =
  (ports: ClusterPorts) =>
  async (controlPlane: ControlPlane, read: Reader): Promise<World> => {
    const { nodes, credentials, writesMeta } = ports
    const [configText, { entries, problems }] = await Promise.all([
      configTextOf(controlPlane.spec, read),
      resolveEntries(controlPlane, (ref) => read.fetchAny(ref)),
    ])
    const pool = machinePlan(controlPlane, entries, read.list(Machine))
    const machines = machinesOf(controlPlane, pool, read)
    const pools = poolsOf(controlPlane, read)
    const workers = pools.map(({ metadata }) => metadata.name)
    const evidence = await secretsEvidence({ controlPlane, machines, workers, configText, read })
    const decision = secretsDecision(evidence)
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
    const shown = await lookAtKnown(known, ports)
    if (isGone(controlPlane, machines)) forget(cluster, ports)
    const { due, taken, config } = shown
    return {
      ...{ machines, pool, problem, workers, due, taken, unresolved: problems[0] },
      warnings: poolWarnings(input),
      ...{ secrets: secretsIn(decision), hold: holdOn(evidence.secret) },
      api: nodes.seen(cluster).api,
      means: {
        ...(bundle && { bundle, access: await credentials.of(bundle, cluster) }),
        ...(config && { config }),
        ...(evidence.secret && { secret: { metadata: evidence.secret.metadata } }),
      },
    }
  }

interface Known {
  controlPlane: ControlPlane
  machines: readonly Machine[]
  decision: SecretsDecision
  problem: PoolProblem | undefined
  configText: string | undefined
  read: Reader
}

/** Who answers for it is followed from the first; what a user needs is shown when it has begun. */
async function lookAtKnown(known: Known, ports: ClusterPorts) {
  const { controlPlane, machines, decision, problem, configText, read } = known
  const nothing = { due: [], taken: [], config: undefined }
  if (decision.do !== 'use' || problem) return nothing
  const { bundle } = decision
  follow(controlPlane, bundle, ports)
  if (!hasBegun(machines)) return nothing
  const begun = { controlPlane, machines, bundle }
  const config = sharedConfig({ ...begun, configText })
  return { ...(await dueOf({ ...begun, config, clock: ports.clock }, read)), config }
}

const isGone = ({ metadata }: ControlPlane, machines: readonly Machine[]): boolean =>
  machines.length === 0 && metadata.deletionTimestamp !== undefined

/** All that are of the control plane: those that the spec wants in its order, then the others. */
function machinesOf({ metadata }: ControlPlane, { same, changed }: MachinePlan, read: Reader) {
  const own = read
    .list(Machine)
    .filter(({ spec }) => !spec?.workerRef && spec?.controlPlaneRef?.name === metadata.name)
  const wanted = new Set([...same, ...changed.map(({ machine }) => machine)].map(keyOf))
  return [
    ...own.filter((machine) => wanted.has(keyOf(machine))),
    ...own.filter((machine) => !wanted.has(keyOf(machine))),
  ]
}

interface Evidence {
  controlPlane: ControlPlane
  machines: readonly Machine[]
  /** The names of its pools. */
  workers: readonly string[]
  configText: string | undefined
  read: Reader
}

/** Asked of the server: what a cache does not show may be there all the same. */
async function secretsEvidence(known: Evidence): Promise<SecretsEvidence> {
  const { controlPlane, machines, workers, configText, read } = known
  const [secret, stateSecret] = await Promise.all([
    read.fetch(Secret, secretsNameOf(controlPlane)),
    read.fetch(Secret, stateNameOf(controlPlane)),
  ])
  const ofWorkers = read
    .list(Machine)
    .filter(({ spec }) => workers.includes(spec?.workerRef?.name ?? ''))
  const machinesAreClaimed = [...machines, ...ofWorkers].some(isClaimed)
  return { controlPlane, secret, stateSecret, configText, machinesAreClaimed }
}

function secretsIn(decision: SecretsDecision): Secrets {
  switch (decision.do) {
    case 'use':
      return { is: 'there', clusterId: decision.bundle.cluster.id }
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

const poolsOf = ({ metadata }: ControlPlane, read: Reader): Worker[] =>
  read.list(Worker).filter(({ spec }) => spec?.controlPlaneRef?.name === metadata.name)
