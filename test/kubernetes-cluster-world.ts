// What the controller of KubernetesClusters sees, made of what a test says is there.

import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import { fileOf, wantedMachines } from '#controllers/kubernetes-cluster/drafts.ts'
import { isGone, missingIn, nameOf } from '#controllers/kubernetes-cluster/entries.ts'
import { orphansIn } from '#controllers/kubernetes-cluster/look-gone.ts'
import { judge } from '#controllers/kubernetes-cluster/shape.ts'
import {
  controlPlaneDraft,
  type Making,
  workerDraft,
} from '#controllers/kubernetes-cluster/talos-drafts.ts'
import type { Step, World } from '#controllers/kubernetes-cluster/world.ts'
import { aControlPlane, aProvidedMachine, aWorker } from './builders.ts'

export const NO_PARTS: World['talos'] = { controlPlane: undefined, workers: [], machines: [] }

/** A cluster whose keys are there, and of which nothing else is; what a test says is laid over it. */
export function aWorldOf(cluster: KubernetesCluster, over: Partial<World> = {}): World {
  const judged = judge(cluster)
  const wanted = 'shape' in judged ? wantedMachines(cluster, judged.shape) : []
  const { machines = [], talos = NO_PARTS } = over
  const own = new Set(machines.map(({ metadata }) => metadata.name))
  const files = wanted.map((one) => fileOf(one).name)
  return {
    ...{ judged, wanted, machines, taken: [], held: [], isOld: false },
    ...goneIn({ machines, talos }),
    free: wanted.map(({ name }) => name).filter((name) => !own.has(name)),
    secrets: { is: 'there', name: `${cluster.metadata.name}-talos-secrets`, isInSpec: false },
    files: { stale: files, surplus: [] },
    ...{ talos, sameEndpoint: [] },
    ...over,
  }
}

/** What is gone, where the API has nothing but what is seen. */
const goneIn = (seen: Pick<World, 'machines' | 'talos'>) => ({
  lost: missingIn(seen)
    .filter((entry) =>
      isGone(
        entry,
        seen.machines.find(({ metadata }) => metadata.name === nameOf(entry)),
      ),
    )
    .map(nameOf),
  gone: orphansIn(seen).map(({ metadata }) => metadata.name),
})

/** The Machine that a cluster wants under this name, as if it had been made. */
export function asMade(cluster: KubernetesCluster, name: string): ProvidedMachine {
  const found = aWorldOf(cluster).wanted.find((one) => one.name === name)
  const { metadata, spec } = found?.draft ?? { metadata: { name } }
  return aProvidedMachine({
    metadata: { ...metadata, uid: `uid-of-${name}` },
    ...(spec && { spec: { ...Object(spec) } }),
  })
}

/** All Machines that a cluster wants, as if they had been made. */
export const allMade = (cluster: KubernetesCluster): ProvidedMachine[] =>
  aWorldOf(cluster).wanted.map(({ name }) => asMade(cluster, name))

/** Another status of the same Machine. */
export const saying = (
  machine: ProvidedMachine,
  status: NonNullable<ProvidedMachine['status']>,
): ProvidedMachine => ({ ...machine, status })

/** The world after a step. */
export function afterStep(cluster: KubernetesCluster, world: World, step: Step): World {
  const machines = machinesAfter(cluster, world, step)
  const own = new Set(machines.map(({ metadata }) => metadata.name))
  const talos = talosAfter(cluster, world, step)
  return {
    ...{ ...world, machines, talos, ...goneIn({ machines, talos }) },
    free: world.free.filter((name) => !own.has(name)),
    files: filesAfter(world, step),
    ...(step.do === 'createSecrets' && {
      secrets: { is: 'there' as const, name: step.name, isInSpec: false },
    }),
  }
}

function machinesAfter(cluster: KubernetesCluster, { machines }: World, step: Step) {
  if (step.do === 'removeMachine') {
    return machines.filter(({ metadata }) => metadata.name !== step.machine)
  }
  if (step.do !== 'createMachine' && step.do !== 'updateMachine') return machines
  const others = machines.filter(({ metadata }) => metadata.name !== step.machine)
  const status = machines.find(({ metadata }) => metadata.name === step.machine)?.status
  const made = asMade(cluster, step.machine)
  return [...others, status ? saying(made, status) : made]
}

function filesAfter({ files }: World, step: Step): World['files'] {
  if (step.do === 'writeFiles') return { ...files, stale: [] }
  if (step.do !== 'removeFiles') return files
  return { ...files, surplus: files.surplus.filter((name) => !step.files.includes(name)) }
}

function talosAfter(cluster: KubernetesCluster, world: World, step: Step): World['talos'] {
  const { talos, judged } = world
  if (!('shape' in judged)) return talos
  const making: Making = { cluster, shape: judged.shape, world }
  if (step.do === 'applyControlPlane') {
    const { metadata, spec } = controlPlaneDraft(making, step.machines)
    const controlPlane = aControlPlane({ metadata, spec: Object(spec) })
    return { ...talos, controlPlane }
  }
  if (step.do === 'applyWorker') {
    const { metadata, spec } = workerDraft(making, step)
    const workers = talos.workers.filter((one) => one.metadata.name !== step.name)
    return { ...talos, workers: [...workers, aWorker({ metadata, spec: Object(spec) })] }
  }
  if (step.do !== 'removePart') return talos
  return { ...talos, workers: talos.workers.filter((one) => one.metadata.name !== step.name) }
}
