import type { ControlPlane } from '#api/control-plane.ts'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import type { Worker } from '#api/worker.ts'
import { isReadyNow } from '#engine/pool-machines.ts'
import { no, type Verdict, yes } from '#runtime/plan.ts'
import type { Role } from './drafts.ts'
import { entriesOf, nameOf, partsOf } from './entries.ts'
import { addressPath } from './machine-address.ts'
import { isLeaving } from './own.ts'
import { isControlPlane, surplusOf } from './surplus.ts'
import type { World } from './world.ts'

type Status = NonNullable<KubernetesCluster['status']>

/** What is observed of a cluster, with so many Machines when this pass is done. */
export function statusOf(
  world: World,
  machineCount: number,
): Pick<Status, 'phase' | 'controlPlaneReady' | 'workersReady' | 'machineCount'> {
  const controlPlaneReady = isControlPlaneReady(world)
  const workersReady = readyWorkers(world)
  return { phase: phaseOf(world, machineCount), controlPlaneReady, workersReady, machineCount }
}

function phaseOf(world: World, machineCount: number): NonNullable<Status['phase']> {
  if (machineCount === 0) return 'Pending'
  if (failedIn(world).length > 0) return 'Failed'
  return readinessOf(world).ok === true ? 'Running' : 'Provisioning'
}

/** Whether the cluster is ready, and if not, who is in the way. */
export function readinessOf(world: World): Verdict {
  const failed = failedIn(world)
  if (failed.length > 0) return no('MachineFailed', failed.map(failureWords).join('; '))
  const surplus = surplusOf(world).map(({ metadata }) => metadata.name)
  if (surplus.length > 0) {
    const out = `on their way out: ${surplus.sort().join(', ')}`
    // Whoever keeps them from going says why, and what can be done about it.
    return no('ScalingDown', [out, ...partsNotReady(world)].join('; '))
  }
  const waiting = waitingIn(world)
  return waiting.length > 0
    ? no('MachinesNotReady', waiting.join('; '))
    : yes('ClusterReady', 'every Machine is there and ready')
}

function waitingIn(world: World): string[] {
  if (world.talos.controlPlane) return partsWaiting(world)
  return isReachable(world) ? [beginningOf(world)] : machinesWaiting(world)
}

/** From the first address on, what was seen of the machines themselves counts, and no more what their providers say. */
const isReachable = (world: World): boolean =>
  [...present(world, 'controlplane'), ...present(world, 'worker')].some(hasAddress)

const hasAddress = (machine: ProvidedMachine): boolean => addressPath(machine) !== undefined

function beginningOf(world: World): string {
  const known = new Map(world.machines.map((machine) => [machine.metadata.name, machine]))
  const without = world.wanted.flatMap(({ name, role }) => {
    const machine = known.get(name)
    const isPlaced = machine && hasAddress(machine) && !isLeaving(machine)
    if (role !== 'controlplane' || isPlaced) return []
    return [machine ? `${name} (${machineWords(machine)})` : name]
  })
  return without.length > 0
    ? `its control plane begins when each of its Machines has an address, and these have none: ${without.join(', ')}`
    : 'its control plane is about to begin'
}

/** Without the engine, what providers say counts; with it, what was seen of the machines themselves. */
function isControlPlaneReady(world: World): boolean {
  const { controlPlane } = world.talos
  if (controlPlane) return isReady(controlPlane) && awaitedIn(world, 'controlplane').length === 0
  if (isReachable(world)) return false
  const members = present(world, 'controlplane')
  const wanted = countOf(world, 'controlplane')
  return members.length >= Math.max(1, wanted) && members.every(isProvided)
}

function readyWorkers(world: World): number {
  const { controlPlane, machines } = world.talos
  if (!controlPlane && isReachable(world)) return 0
  if (!controlPlane) return present(world, 'worker').filter(isProvided).length
  return machines.filter((machine) => machine.spec?.workerRef && isReadyNow(machine)).length
}

const partsNotReady = ({ talos }: World): string[] =>
  partsOf(talos)
    .filter((part) => !isReady(part))
    .map(partWords)

function partsWaiting(world: World): string[] {
  const awaited = [...awaitedIn(world, 'controlplane'), ...awaitedIn(world, 'worker')]
  const words = [
    ...partsNotReady(world),
    ...(awaited.length > 0 ? [`these have not joined: ${awaited.join(', ')}`] : []),
  ]
  const [ready, workers] = [readyWorkers(world), countOf(world, 'worker')]
  // A part and its machines are seen one after the other.
  return words.length > 0 || ready >= workers ? words : [`${ready} of ${workers} workers are ready`]
}

const countOf = ({ wanted }: World, role: Role): number =>
  wanted.filter((one) => one.role === role).length

/** The Machines of a role that are wanted and that no part has, each with why. A part speaks only of those that it has. */
function awaitedIn(world: World, role: Role): string[] {
  const { wanted, machines, lost } = world
  const listed = new Set(partsOf(world.talos).flatMap(entriesOf).map(nameOf))
  const known = new Map(machines.map((machine) => [machine.metadata.name, machine]))
  return wanted
    .filter((one) => one.role === role && (!listed.has(one.name) || lost.includes(one.name)))
    .map(({ name }) => `${name} (${placeWords(known.get(name))})`)
}

function placeWords(machine: ProvidedMachine | undefined): string {
  if (!machine) return 'there is no Machine yet'
  if (isLeaving(machine)) return machineWords(machine)
  return hasAddress(machine) ? 'about to join' : `no address: ${machineWords(machine)}`
}

function machinesWaiting({ wanted, machines }: World): string[] {
  const known = new Map(machines.map((machine) => [machine.metadata.name, machine]))
  return wanted.flatMap(({ name }) => {
    const machine = known.get(name)
    if (!machine) return [`${name}: made just now`]
    return isProvided(machine) ? [] : [`${name}: ${machineWords(machine)}`]
  })
}

function machineWords(machine: ProvidedMachine): string {
  if (isLeaving(machine)) return 'is being deleted'
  const { phase, message } = machine.status ?? {}
  if (!phase) return 'its provider has not said anything of it yet'
  return message ? `${phase}, ${message}` : phase
}

/** The Machines of a role that are wanted; of a spec that is wrong, all: what runs is not gone because of it. */
const present = ({ machines, wanted, judged }: World, role: Role): ProvidedMachine[] => {
  if ('problems' in judged) {
    return machines.filter((machine) => isControlPlane(machine) === (role === 'controlplane'))
  }
  const names = new Set(wanted.filter((one) => one.role === role).map(({ name }) => name))
  return machines.filter(({ metadata }) => names.has(metadata.name))
}

const failedIn = ({ machines, wanted }: World): ProvidedMachine[] => {
  const names = new Set(wanted.map(({ name }) => name))
  return machines.filter((machine) => names.has(machine.metadata.name) && isFailed(machine))
}

const isFailed = ({ status }: ProvidedMachine): boolean =>
  status?.phase === 'Failed' || Boolean(status?.failureReason || status?.failureMessage)

function failureWords({ metadata, status }: ProvidedMachine): string {
  const { failureReason, failureMessage, message } = status ?? {}
  const why = [failureReason, failureMessage ?? message].filter(Boolean).join(': ')
  return `${metadata.name}: ${why || 'its provider says that it failed'}`
}

/** Whether the provider says that a machine is ready: by its condition, or where that is not written, by its phase. */
function isProvided(machine: ProvidedMachine): boolean {
  if (isLeaving(machine)) return false
  const { conditions = [], phase } = machine.status ?? {}
  const ready = conditions.find(({ type }) => type === 'Ready')
  return ready ? ready.status === 'True' : phase === 'Running'
}

/** Whether a part is ready as its spec is now. */
const isReady = ({ metadata, status }: ControlPlane | Worker): boolean =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True') &&
  status?.observedGeneration === metadata.generation

/** Told on in one sentence with others, so without the full stop. */
function partWords({ kind, metadata, status }: ControlPlane | Worker): string {
  const said = status?.conditions?.find(({ type }) => type === 'Ready')
  const what = `${kind} ${metadata.name}`
  if (!said || said.status === 'True') return `${what}: not looked at yet as it is now`
  return `${what} (${said.reason}): ${said.message.replace(/\.$/, '')}`
}
