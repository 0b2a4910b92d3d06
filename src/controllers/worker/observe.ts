import { ControlPlane } from '#api/control-plane.ts'
import { Secret as SecretKind } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { configDue } from '#engine/config-delivery.ts'
import { configTextOf } from '#engine/config-ref.ts'
import { configSecret } from '#engine/delivered-config.ts'
import { keepsTalos, letsKubeletsMove } from '#engine/kubelet-moves.ts'
import { kubeletsUnasked } from '#engine/kubelets-unasked.ts'
import { liveObject } from '#engine/live-object.ts'
import { isOldSpec } from '#engine/old-spec.ts'
import { isOutOfTheWay, waitingForTurn } from '#engine/pending.ts'
import { resolveEntries } from '#engine/pool-entries.ts'
import { inSpecOrder, type MachinePlan, machinePlan } from '#engine/pool-plan.ts'
import { poolProblem } from '#engine/pool-problems.ts'
import { poolWarnings } from '#engine/pool-warnings.ts'
import { readableBundle } from '#engine/readable-bundle.ts'
import { sharedConfig } from '#engine/shared-config.ts'
import { seeTurns } from '#engine/turn-steps.ts'
import { unseenMachines } from '#engine/unseen-machines.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { ownedBy } from '#runtime/controller.ts'
import type { Reader } from '#runtime/reader.ts'
import { rejectionsOf } from './look-rejections.ts'
import type { World } from './world.ts'

/** Looks at the pool's machines, and at the control plane that they join. */
export async function observe(
  resource: Worker,
  read: Reader,
  isMetaWritten: boolean,
): Promise<World> {
  const name = resource.spec?.controlPlaneRef?.name
  const controlPlane = name ? read.get(ControlPlane, name) : undefined
  const { entries, problems } = await resolveEntries(resource, (ref) => read.fetchAny(ref))
  const all = read.list(Machine)
  const pool = machinePlan(resource, entries, all)
  const machines = await machinesOf(resource, pool, { all, read })
  const configText = await configTextOf(resource.spec, read)
  const bundle = controlPlane && (await readableBundle(controlPlane, read))
  const input = controlPlane && {
    ...{ controlPlane, worker: resource, isMetaWritten, ...(bundle && { bundle }) },
    addresses: entries.map(({ address }) => address),
    ...(configText !== undefined && { configText }),
  }
  return {
    ...{ controlPlane, machines, pool, elsewhere: ofOtherPools(resource, all, read) },
    ...(await configuredOf(resource, { controlPlane, bundle, machines }, read)),
    isOld: await isOldSpec(Worker, resource, { pool, read }),
    turns: await seeTurns(resource, machines, read),
    ...(await standingOf(controlPlane, machines, read)),
    unresolved: problems[0],
    problem: input && poolProblem(input),
    warnings: input ? poolWarnings(input) : [],
    ...(await configOf({ worker: resource, controlPlane, bundle, machines, configText, read })),
  }
}

/** What follows from the configurations that its machines are to have. */
async function configuredOf(
  worker: Worker,
  { controlPlane, bundle, machines }: Pick<Shown, 'controlPlane' | 'bundle' | 'machines'>,
  read: Reader,
): Promise<Pick<World, 'unasked' | 'rejecting'>> {
  if (!controlPlane || !bundle) return { unasked: [], rejecting: [] }
  const belonging = { controlPlane, worker, bundle }
  return {
    unasked: await kubeletsUnasked(machines, belonging, read),
    rejecting: await rejectionsOf(machines, belonging, read),
  }
}

/** What a cache shows of a control plane may be of the spec before: then its machines would be changed at the same time. */
async function standingOf(
  controlPlane: ControlPlane | undefined,
  machines: readonly Machine[],
  read: Reader,
): Promise<Pick<World, 'isControlPlaneReady' | 'isKubernetesMoving' | 'mayKubeletsMove'>> {
  if (!controlPlane || waitingForTurn(machines).length === 0) {
    return { isControlPlaneReady: false, isKubernetesMoving: false, mayKubeletsMove: false }
  }
  const live = (await liveObject(ControlPlane, controlPlane.metadata.name, read)) ?? controlPlane
  return {
    isControlPlaneReady: isOutOfTheWay(live),
    isKubernetesMoving: keepsTalos(live),
    mayKubeletsMove: letsKubeletsMove(live),
  }
}

/** All that are of the pool: those that the spec wants in its order, then the others. */
async function machinesOf(
  worker: Worker,
  pool: MachinePlan,
  { all, read }: { all: readonly Machine[]; read: Reader },
): Promise<Machine[]> {
  const { metadata } = worker
  const own = all.filter(({ spec }) => spec?.workerRef?.name === metadata.name)
  // Before what goes is believed to have none.
  if (own.length === 0 && metadata.deletionTimestamp !== undefined)
    return unseenMachines(worker, read)
  return inSpecOrder(own, pool)
}

function ofOtherPools(
  { metadata, spec }: Worker,
  all: readonly Machine[],
  read: Reader,
): Machine[] {
  const others = read
    .list(Worker)
    .filter((one) => one.spec?.controlPlaneRef?.name === spec?.controlPlaneRef?.name)
    .map((one) => one.metadata.name)
    .filter((name) => name !== metadata.name)
  return all.filter((machine) => others.includes(machine.spec?.workerRef?.name ?? ''))
}

interface Shown {
  worker: Worker
  controlPlane: ControlPlane | undefined
  bundle: SecretsBundle | undefined
  machines: readonly Machine[]
  configText: string | undefined
  read: Reader
}

/** What the machines of the pool have in common, for users to see. */
async function configOf(shown: Shown) {
  const { worker, controlPlane, bundle, machines, configText, read } = shown
  const name = `${worker.metadata.name}-config`
  const nothing = { config: { name, due: undefined }, means: {} }
  if (!controlPlane || !bundle) return nothing
  const text = sharedConfig({ controlPlane, worker, machines, bundle, configText })
  if (!text) return nothing
  const owner = ownedBy(Worker, worker)
  const draft = configSecret(worker, { owner, key: 'worker.yaml', text })
  const due = configDue(await read.fetch(SecretKind, name), draft)
  return { config: { name, due }, means: { config: draft } }
}
