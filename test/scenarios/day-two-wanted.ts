import { versionsIn } from '#machineconfig/versions/kubernetes-images.ts'
import type { EditName } from './day-two-schedule.ts'
import { QUICK } from './manifests.ts'
import type { World } from './world.ts'

/** What is asked of a cluster, by the numbers of its machines. */
export interface WantedCluster {
  readonly controlPlanes: readonly number[]
  readonly workers: readonly number[]
  /** Machines of nobody. */
  readonly spare: readonly number[]
  readonly value: number
  readonly booted: number
  readonly label: number
  readonly talos: number
  readonly kubernetes: number
  readonly isPaused: boolean
}

const MOST_WORKERS = 2

export const atFirst = (controlPlanes: number): WantedCluster => ({
  controlPlanes: Array.from({ length: controlPlanes }, (_, at) => at + 1),
  workers: [controlPlanes + 1],
  spare: [controlPlanes + 2, controlPlanes + 3],
  ...{ value: 0, booted: 0, label: 0, talos: 0, kubernetes: 0, isPaused: false },
})

/** What is asked for after an edit. One that cannot be is none. */
export function after(wanted: WantedCluster, edit: EditName): WantedCluster {
  const { workers, spare } = wanted
  const [first = 0, ...others] = workers
  const [next = 0, ...left] = spare
  switch (edit) {
    case 'a worker more':
      return workers.length === MOST_WORKERS
        ? wanted
        : { ...wanted, workers: [...workers, next], spare: left }
    case 'a worker less':
      return others.length === 0 ? wanted : { ...wanted, workers: others, spare: [...spare, first] }
    case 'another worker':
      return { ...wanted, workers: [...others, next], spare: [...left, first] }
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

const later = (version: string, by: number): string =>
  version.replace(/\d+$/, (patch) => `${Number(patch) + by}`)

const talosOf = ({ talos }: WantedCluster) => later(QUICK.talos, talos)
const kubernetesOf = ({ kubernetes }: WantedCluster) => later(QUICK.kubernetes, kubernetes)

/** The TalosCluster that asks for it. */
export function manifestOf(world: World, wanted: WantedCluster) {
  const { spec, ...cluster } = world.cluster('one', wanted.controlPlanes, wanted.workers)
  const { controlPlane, worker } = spec
  if (!worker) throw new Error('there is always a worker')
  const asked = {
    ...{ version: talosOf(wanted), kubeVersion: kubernetesOf(wanted) },
    rolloutStrategy: { paused: wanted.isPaused },
  }
  const machineSpec = { configPatches: [patchOf(wanted)] }
  const metalSpec = <Spec extends object>(of: Spec) => ({ ...of, machineSpec })
  return {
    ...cluster,
    spec: {
      controlPlane: { ...controlPlane, ...asked, metalSpec: metalSpec(controlPlane.metalSpec) },
      worker: { ...worker, ...asked, metalSpec: metalSpec(worker.metalSpec) },
    },
  }
}

const patchOf = ({ value, booted, label }: WantedCluster) => ({
  machine: {
    sysctls: { 'vm.swappiness': `${value}` },
    env: { GRPC_GO_LOG_SEVERITY_LEVEL: `info${booted}` },
    nodeLabels: { tier: `front${label}` },
  },
})

/** What is otherwise, by what the machines themselves are. */
export function differencesIn({ fleet }: World, wanted: WantedCluster): string[] {
  const own = [...wanted.controlPlanes, ...wanted.workers]
  return fleet.machines.flatMap((machine, at) => {
    const { address, stage } = machine
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
  const values = [sysctls, env, nodeLabels].flatMap((one) => Object.values(one))
  const text = JSON.stringify(config?.documents ?? [])
  const kubelet = config && versionsIn(config).kubelet
  return [
    ...(stage === 'running' && isReady ? [] : ['it is not ready']),
    ...(talosVersion === talosOf(wanted) ? [] : [`it runs Talos ${talosVersion}`]),
    ...(kubelet === kubernetesOf(wanted) ? [] : [`it has the kubelet ${kubelet}`]),
    ...values.filter((value) => !text.includes(`"${value}"`)).map((value) => `it has no ${value}`),
  ]
}
