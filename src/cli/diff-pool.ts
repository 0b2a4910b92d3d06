import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { KUBE_VERSION, MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { areFactsFixed, recordedFacts } from '#engine/cluster-facts.ts'
import { secretsNameOf } from '#engine/cluster-secrets.ts'
import { type SecretsDecision, secretsDecision } from '#engine/cluster-secrets-decision.ts'
import { stateNameOf } from '#engine/cluster-secrets-published.ts'
import { configTextOf } from '#engine/config-ref.ts'
import { noControlPlane } from '#engine/no-control-plane.ts'
import { isControlPlane, type Parent } from '#engine/pool.ts'
import { resolveEntries } from '#engine/pool-entries.ts'
import type { PoolInput } from '#engine/pool-input.ts'
import { machinesInTheWay } from '#engine/pool-machines.ts'
import { type MachinePlan, machinePlan } from '#engine/pool-plan.ts'
import { poolProblem } from '#engine/pool-problems.ts'
import { poolWarnings } from '#engine/pool-warnings.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { HeldObjects } from './diff-held.ts'
import { notBuiltAtAll } from './diff-not-built.ts'
import { type DiffPorts, NamespaceReader } from './diff-ports.ts'
import type { Said } from './diff-report.ts'

/** A control plane or a pool of workers, and what follows from it as it is, or as it would be. */
export interface PoolSeen {
  readonly parent: Parent
  readonly controlPlane: ControlPlane | undefined
  readonly worker: Worker | undefined
  readonly plan: MachinePlan
  readonly configText: string | undefined
  readonly bundle: SecretsBundle | undefined
  /** Whether the operator writes META. */
  readonly isMetaWritten: boolean
  /** Why nothing is done for it before somebody mends that. */
  readonly problem: Said | undefined
  /** What else deserves a word. */
  readonly warnings: readonly Said[]
}

/** Looks at a control plane or a pool as the operator does, among these objects. */
export async function lookAtPool(
  parent: Parent,
  held: HeldObjects,
  ports: DiffPorts,
): Promise<PoolSeen> {
  const read = new NamespaceReader(ports, parent.metadata.namespace ?? '', held)
  const worker = isControlPlane(parent) ? undefined : parent
  const controlPlane = controlPlaneOf(parent, held)
  const [{ entries, problems }, configText, secrets] = await Promise.all([
    resolveEntries(parent, (ref) => read.fetchAny(ref)),
    configTextOf(parent.spec, read),
    controlPlane && secretsOf(controlPlane, held, read),
  ])
  const plan = machinePlan(parent, entries, held.list(Machine))
  const bundle = secrets && (await bundleIn(secrets, ports))
  const { isMetaWritten } = ports
  const seen = { parent, controlPlane, worker, plan, configText, bundle, isMetaWritten }
  const addresses = entries.map(({ address }) => address)
  const input = controlPlane && { ...inputOf({ ...seen, controlPlane }, held), addresses }
  return {
    ...seen,
    problem: problemOf(parent, { input, secrets, plan }),
    warnings: [...problems, ...(input ? poolWarnings(input) : [])],
  }
}

function controlPlaneOf(parent: Parent, held: HeldObjects): ControlPlane | undefined {
  if (isControlPlane(parent)) return withFacts(parent)
  const found = held.get(ControlPlane, parent.spec?.controlPlaneRef?.name ?? '')
  return found && withFacts(found)
}

type Seen = Omit<PoolSeen, 'problem' | 'warnings'> & { controlPlane: ControlPlane }

/** What it is judged by. */
const inputOf = (
  { controlPlane, worker, plan, configText, bundle, isMetaWritten }: Seen,
  held: HeldObjects,
): PoolInput => ({
  ...{ controlPlane, isMetaWritten, ...(worker && { worker }), ...(bundle && { bundle }) },
  ...(configText !== undefined && { configText }),
  // Later it is the pool that has to give way.
  ...(!worker && !hasBegun(plan) && { workers: poolsOf(controlPlane, held) }),
})

/** As long as a cluster has not begun, what was written down of its Kubernetes is written anew. */
function withFacts(controlPlane: ControlPlane): ControlPlane {
  const { kubeVersion } = recordedFacts(controlPlane)
  if (kubeVersion === undefined || areFactsFixed(controlPlane)) return controlPlane
  const { metadata } = controlPlane
  const { [KUBE_VERSION]: _, ...annotations } = metadata.annotations ?? {}
  return { ...controlPlane, metadata: { ...metadata, annotations } }
}

interface Judged {
  input: PoolInput | undefined
  secrets: SecretsDecision | undefined
  plan: MachinePlan
}

/** The first that the operator would say. */
function problemOf(parent: Parent, { input, secrets, plan }: Judged): Said | undefined {
  const found =
    notBuiltAtAll(parent) ??
    (isControlPlane(parent) ? undefined : noControlPlane(parent, input?.controlPlane)) ??
    (input && poolProblem(input)) ??
    (secrets?.do === 'refuse' ? secrets : undefined) ??
    machinesInTheWay({ ...plan, surplus: [] })
  return found && { reason: found.reason, message: found.message }
}

const hasBegun = ({ known, surplus }: MachinePlan): boolean =>
  [...known, ...surplus].some(({ status }) => status?.etcdMember !== undefined)

const poolsOf = ({ metadata }: ControlPlane, held: HeldObjects): Worker[] =>
  held.list(Worker).filter(({ spec }) => spec?.controlPlaneRef?.name === metadata.name)

/** What the operator makes of a cluster's secrets. Asked of the API: nothing else has them. */
async function secretsOf(
  controlPlane: ControlPlane,
  held: HeldObjects,
  read: NamespaceReader,
): Promise<SecretsDecision> {
  const [secret, stateSecret, configText] = await Promise.all([
    read.fetch(Secret, secretsNameOf(controlPlane)),
    read.fetch(Secret, stateNameOf(controlPlane)),
    configTextOf(controlPlane.spec, read),
  ])
  const { name } = controlPlane.metadata
  const pools = poolsOf(controlPlane, held).map(({ metadata }) => metadata.name)
  const machinesAreClaimed = held
    .list(Machine)
    .filter(
      ({ spec }) =>
        spec?.controlPlaneRef?.name === name || pools.includes(spec?.workerRef?.name ?? ''),
    )
    .some(({ metadata }) => metadata.annotations?.[MACHINE_UUID] !== undefined)
  return secretsDecision({ controlPlane, secret, stateSecret, configText, machinesAreClaimed })
}

async function bundleIn(
  decision: SecretsDecision,
  { trialBundle }: DiffPorts,
): Promise<SecretsBundle | undefined> {
  if ('bundle' in decision) return decision.bundle
  return decision.do === 'refuse' ? undefined : trialBundle()
}
