import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { ConfigChange, KubernetesImage, World } from '#controllers/machine/world.ts'
import { triedWith } from '#engine/config-record.ts'
import { kubernetesRecord } from '#engine/kubernetes-record.ts'
import { KUBERNETES_PENDING } from '#engine/pending.ts'
import { COMPONENT_NOT_READY, KUBERNETES_DOWNGRADE } from '#engine/standstill.ts'
import { versionOfImage } from '#machineconfig/versions/kubernetes-images.ts'
import { no } from '#runtime/plan.ts'
import { asItRuns, changing, isKubeletHeldBack, isToBeChanged } from './configuration.ts'
import { lettingGo } from './disruption.ts'
import { fetchFirst } from './fetch-first.ts'

// What a configuration brings of Kubernetes is there before it is given to the machine, and runs before its turn is over.

// As long as Talos' own upgrade of Kubernetes waits for a component.
export const UP_WITHIN_MS = 300_000

/** What Kubernetes has written with a newer version an older one may not be able to read. */
export const kubernetesOlder: Rule = (machine, world) => {
  const { change, parent } = world
  if (!change || change.older.length === 0 || parent.is !== 'there') return undefined
  if (!isToBeChanged(machine, world) || isTakenBack(change, parent)) return undefined
  const { kind, metadata } = parent.worker ?? parent.controlPlane
  return {
    steps: lettingGo(machine, world),
    state: 'Available',
    ready: no(
      KUBERNETES_DOWNGRADE,
      `by its spec the machine would get an older Kubernetes than it has (${change.older.join(', ')}), which Kubernetes does not support, so it is not changed at all: let kubeVersion of ${kind} ${metadata.name}, or the images in a patch or in configRef, be what the machine has, or newer`,
    ),
    pace: 'settled',
  }
}

/** Whether it is what an upgrade gave to some machines alone, and goes back to what the others still have. */
function isTakenBack({ older, images }: ConfigChange, { controlPlane, worker }: Family): boolean {
  const { versions } = kubernetesRecord(controlPlane) ?? {}
  if (!versions || worker) return false
  const asked = new Map(images.map(({ component, image }) => [component, versionOfImage(image)]))
  return older.every((component) => asked.get(component) === versions[component])
}

type Family = Extract<World['parent'], { is: 'there' }>

/** Before a component is stopped its new image is there: a version that does not exist costs nobody anything. */
export const pullKubernetes: Rule = (machine, world, now) => {
  const { change, turn, seen } = world
  if (!change || turn === undefined || seen.is !== 'member') return undefined
  const { images } = change
  if (images.length === 0 || !isToBeChanged(machine, world)) return undefined
  if (isKubeletHeldBack(world)) return undefined
  return fetchFirst(machine, world, {
    ...{ now, call: fetching(images), names: images.map(({ image }) => image).join(', ') },
    step: { do: 'pullImages', uuid: seen.uuid, images },
    meanwhile: changing,
    mistakable: 'kubeVersion or the image',
  })
}

/** What the long call is known by. */
export const fetching = (images: readonly KubernetesImage[]): string =>
  `fetch ${images.map(({ image }) => image).join(' ')}`

/** A machine says yes to any image. Its turn is over when what that is runs. */
export const componentsAmiss: Rule = (machine, world, now) => {
  const { turn, components, wanted } = world
  if (turn === undefined || wanted.is !== 'known' || components.is === 'unasked') return undefined
  const amiss = wordsFor(components)
  if (amiss === '') return undefined
  const tried = triedWith(machine, wanted.fingerprint)
  const isLate = tried !== undefined && now.getTime() - tried.at.getTime() >= UP_WITHIN_MS
  if (!isLate) return changing(`it has its new configuration, and ${amiss}`)
  return componentNotReady(machine, amiss)
}

export const componentNotReady = ({ spec }: Machine, amiss: string): Decision => ({
  state: 'Available',
  ready: no(
    COMPONENT_NOT_READY,
    `the machine has its new configuration, and ${amiss}. No other machine is changed. See \`talosctl -n ${spec?.endpoint} containers -k\` and \`logs -k\`; it goes on as soon as that runs, or when the spec is changed`,
  ),
  pace: 'soon',
})

/** What waits for Talos is said when nothing else is to be done. */
export const kubeletHeldBack: Rule = (machine, world) => {
  const { change, parent } = world
  if (!change || parent.is !== 'there' || !isToBeChanged(machine, world)) return undefined
  if (!isKubeletHeldBack(world)) return undefined
  const { name } = parent.controlPlane.metadata
  return {
    ...asItRuns(machine, world, {
      reason: KUBERNETES_PENDING,
      message: `the machine is to be given another kubelet, which waits until TalosControlPlane ${name} lets workers have one: never while a machine of the cluster gets another Talos`,
    }),
    pending: { work: 'kubernetes', needs: change.needs },
    pace: 'later',
  }
}

function wordsFor(components: World['components']): string {
  switch (components.is) {
    case 'known':
      return components.amiss.join('; ')
    case 'unknown':
      return `nobody can tell what it runs: ${components.message}`
    case 'unasked':
      return ''
  }
}
