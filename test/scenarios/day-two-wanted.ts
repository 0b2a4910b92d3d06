import { versionsIn } from '#machineconfig/versions/kubernetes-images.ts'
import { onMachines } from './a-control-plane.ts'
import type { EditName, Sort } from './day-two-schedule.ts'
import { importedCluster } from './foreign-cluster.ts'
import { QUICK, type Versions } from './manifests.ts'
import type { World } from './world.ts'

/** What is asked of a cluster, by the numbers of its machines. */
export interface WantedCluster {
  readonly sort: Sort
  readonly controlPlanes: readonly number[]
  readonly workers: readonly number[]
  /** Machines of nobody, which wait for a configuration. */
  readonly spare: readonly number[]
  /** Those that were taken over as they ran, and let go again: they run on. */
  readonly letGo: readonly number[]
  readonly value: number
  readonly booted: number
  readonly label: number
  readonly talos: number
  readonly kubernetes: number
  readonly isPaused: boolean
}

// What runs on one has to have somewhere to go.
const FEWEST_WORKERS = { made: 1, moving: 1, imported: 1, busy: 2 }
const MOST_CONTROL_PLANES = 3

export const atFirst = (sort: Sort, controlPlanes: number): WantedCluster => {
  const workers = FEWEST_WORKERS[sort]
  const numbers = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => from + at)
  return {
    sort,
    controlPlanes: numbers(1, controlPlanes),
    workers: numbers(controlPlanes + 1, workers),
    spare: numbers(controlPlanes + workers + 1, 2),
    letGo: [],
    ...{ value: 0, booted: 0, label: 0, talos: 0, kubernetes: 0, isPaused: false },
  }
}

/** What a cluster has when it is made. */
export const versionsOf = (sort: Sort): Versions =>
  sort === 'busy' ? { talos: 'v1.13.0', kubernetes: 'v1.34.1' } : QUICK

/** What is asked for after an edit. One that cannot be is none. */
export function after(wanted: WantedCluster, edit: EditName): WantedCluster {
  const { controlPlanes, workers, spare } = wanted
  if (spare.length === 0 && /more|another (worker|control)/.test(edit)) return wanted
  const [first = 0, ...others] = workers
  const [oldest = 0, ...younger] = controlPlanes
  const [next = 0, ...left] = spare
  switch (edit) {
    case 'a worker more':
      return workers.length > FEWEST_WORKERS[wanted.sort]
        ? wanted
        : { ...wanted, workers: [...workers, next], spare: left }
    case 'a worker less':
      return others.length < FEWEST_WORKERS[wanted.sort]
        ? wanted
        : { ...freed(wanted, first, spare), workers: others }
    case 'another worker':
      return { ...freed(wanted, first, left), workers: [...others, next] }
    case 'a control plane more':
      return controlPlanes.length === MOST_CONTROL_PLANES
        ? wanted
        : { ...wanted, controlPlanes: [...controlPlanes, next], spare: left }
    case 'a control plane less':
      return younger.length === 0
        ? wanted
        : { ...wanted, controlPlanes: younger, spare: [...spare, oldest] }
    case 'another control plane':
      return { ...wanted, controlPlanes: [...younger, next], spare: [...left, oldest] }
    case 'another value':
      return { ...wanted, value: wanted.value + 1 }
    case 'another value, by a reboot':
      return { ...wanted, booted: wanted.booted + 1 }
    case 'another label':
      return { ...wanted, label: wanted.label + 1 }
    case 'another Talos':
      return { ...wanted, talos: wanted.talos + 1 }
    case 'another Kubernetes':
      return { ...wanted, kubernetes: wanted.kubernetes + 1 }
    case 'a pause':
      return { ...wanted, isPaused: !wanted.isPaused }
  }
}

/** A machine goes: one that the operator installed is wiped, and can be taken again. */
function freed(wanted: WantedCluster, machine: number, spare: readonly number[]): WantedCluster {
  const { sort, letGo } = wanted
  const isTakenOver = atFirst(sort, wanted.controlPlanes.length).workers.includes(machine)
  return sort === 'imported' && isTakenOver
    ? { ...wanted, spare, letGo: [...letGo, machine] }
    : { ...wanted, spare: [...spare, machine] }
}

const later = (version: string, by: number): string =>
  version.replace(/\d+$/, (patch) => `${Number(patch) + by}`)

const talosOf = ({ sort, talos }: WantedCluster) => later(versionsOf(sort).talos, talos)
const kubernetesOf = ({ sort, kubernetes }: WantedCluster) =>
  later(versionsOf(sort).kubernetes, kubernetes)

/** The TalosCluster that asks for it. */
export function manifestOf(world: World, wanted: WantedCluster) {
  const { spec, ...cluster } = clusterOf(world, wanted)
  const { controlPlane, worker } = spec
  if (!worker) throw new Error('there is always a worker')
  const asked = {
    ...{ version: talosOf(wanted), kubeVersion: kubernetesOf(wanted) },
    rolloutStrategy: { paused: wanted.isPaused },
  }
  const patches = isPatched(wanted) ? [patchOf(wanted)] : []
  const metalSpec = <Spec extends object>(of: Spec, own: readonly object[] = []) => ({
    ...of,
    machineSpec: { configPatches: [...own, ...patches] },
  })
  return {
    ...cluster,
    spec: {
      controlPlane: {
        ...{ ...controlPlane, ...asked },
        metalSpec: metalSpec(controlPlane.metalSpec, patchesIn(controlPlane.metalSpec)),
      },
      worker: { ...worker, ...asked, metalSpec: metalSpec(worker.metalSpec) },
    },
  }
}

function clusterOf(world: World, { sort, controlPlanes, workers }: WantedCluster) {
  if (sort === 'imported') return importedCluster(world, { controlPlanes, workers })
  const cluster = world.cluster('one', controlPlanes, workers)
  if (sort !== 'moving') return cluster
  const controlPlane = { ...cluster.spec.controlPlane, ...onMachines(world, controlPlanes).spec }
  return { ...cluster, spec: { ...cluster.spec, controlPlane } }
}

const patchesIn = (metalSpec: object): readonly object[] =>
  Object(metalSpec).machineSpec?.configPatches ?? []

/** What was imported has the configuration that somebody else gave it, as a whole. */
const isPatched = ({ sort }: WantedCluster): boolean => sort !== 'imported'

const patchOf = ({ value, booted, label }: WantedCluster) => ({
  machine: {
    sysctls: { 'vm.swappiness': `${value}` },
    env: { GRPC_GO_LOG_SEVERITY_LEVEL: `info${booted}` },
    nodeLabels: { tier: `front${label}` },
  },
})

/** What is otherwise, by what the machines themselves are. */
export function differencesIn(world: World, wanted: WantedCluster): string[] {
  const own = [...wanted.controlPlanes, ...wanted.workers]
  return world.fleet.machines.flatMap((_, at) => {
    // One that was elsewhere for a while is the last of them.
    const address = world.address(at + 1)
    const machine = world.fleet.machine(address)
    if (!machine) return [`there is no machine ${address}`]
    const { stage } = machine
    // It is wiped all the same if the operator has configured it since.
    if (wanted.letGo.includes(at + 1) && stage === 'running') return []
    const found = own.includes(at + 1) ? whatDiffers(machine, wanted) : whatItDoes(machine)
    return found.map((what) => `machine ${address}, which is ${stage}: ${what}`)
  })
}

type SimulatedMachine = World['fleet']['machines'][number]

/** Of one of nobody. */
const whatItDoes = ({ stage }: SimulatedMachine): string[] =>
  stage === 'maintenance' ? [] : ['it does not wait for a configuration']

function whatDiffers(machine: SimulatedMachine, wanted: WantedCluster): string[] {
  const { talosVersion, stage, isReady, config } = machine
  const { sysctls, env, nodeLabels } = patchOf(wanted).machine
  const given = isPatched(wanted) ? [sysctls, env, nodeLabels] : []
  const values = given.flatMap((one) => Object.values(one))
  const text = JSON.stringify(config?.documents ?? [])
  const kubelet = config && versionsIn(config).kubelet
  return [
    ...(stage === 'running' && isReady ? [] : ['it is not ready']),
    ...(talosVersion === talosOf(wanted) ? [] : [`it runs Talos ${talosVersion}`]),
    ...(kubelet === kubernetesOf(wanted) ? [] : [`it has the kubelet ${kubelet}`]),
    ...values.filter((value) => !text.includes(`"${value}"`)).map((value) => `it has no ${value}`),
  ]
}
