import type { Machine } from '#api/machine.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import {
  kubeletSkewProblem,
  kubernetesPathProblem,
  kubernetesProblem,
} from '#machineconfig/versions/compatibility.ts'
import { KUBERNETES_COMPONENTS } from '#machineconfig/versions/kubernetes-components.ts'
import {
  kubernetesImages,
  versionOfImage,
  versionsIn,
} from '#machineconfig/versions/kubernetes-images.ts'
import { removedInUse } from '#machineconfig/versions/kubernetes-removals.ts'
import { isOlder } from './kubernetes-record.ts'

// What speaks against another version of Kubernetes. All of it is looked at before anything is changed.

/** Why a cluster is not upgraded, in a sentence that says what to do. */
export interface KubernetesProblem {
  reason: KubernetesReason
  message: string
}

export const KUBERNETES_REASONS = [
  'KubernetesPathUnsupported',
  'KubernetesVersionUnsupported',
  'KubeletTooOld',
  'KubeletTooNew',
  'KubernetesRemovesInUse',
  'KubernetesImagePinned',
] as const

type KubernetesReason = (typeof KUBERNETES_REASONS)[number]

interface Step {
  from: string
  to: string
}

interface Versions {
  /** What the control plane has, of which nothing goes back. */
  has: readonly string[]
  to: string
  /** Whether it waits until all machines run the Talos that they are to: then that is what has to go with it. */
  waitsForTalos?: boolean
}

/** What versions alone say. `machines` are all of the cluster. */
export function versionsProblem(
  machines: readonly Machine[],
  { has, to, waitsForTalos = false }: Versions,
): KubernetesProblem | undefined {
  for (const version of new Set(has)) {
    const path = kubernetesPathProblem(version, to)
    if (path) return { reason: 'KubernetesPathUnsupported', message: `spec.kubeVersion: ${path}` }
  }
  for (const machine of machines) {
    const problem = talosProblem(machine, to, waitsForTalos) ?? skewProblem(machine, to)
    if (problem) return problem
  }
  return undefined
}

function talosProblem(
  { metadata: { name }, spec, status }: Machine,
  to: string,
  waitsForTalos: boolean,
): KubernetesProblem | undefined {
  const { observedVersion } = status ?? {}
  const why = observedVersion && kubernetesProblem(observedVersion, to)
  const isOnItsWay = waitsForTalos && !kubernetesProblem(spec?.version ?? '', to)
  if (!why || isOnItsWay) return undefined
  const message = `spec.kubeVersion: ${name} runs Talos ${observedVersion}: ${why}. Upgrade Talos first`
  return { reason: 'KubernetesVersionUnsupported', message }
}

function skewProblem({ metadata, status }: Machine, to: string): KubernetesProblem | undefined {
  const { kubelet } = status?.kubernetes ?? {}
  const skew = kubelet && kubeletSkewProblem(kubelet, to)
  return skew ? { reason: 'KubeletTooOld', message: `${metadata.name}: ${skew}` } : undefined
}

/** What the configurations say that its machines are to have then. */
export function configProblem(
  machine: string,
  config: MachineConfig,
  { from, to }: Step,
): KubernetesProblem | undefined {
  const removed = removalProblem(machine, config, { from, to })
  if (removed) return removed
  const images = kubernetesImages(config)
  for (const component of KUBERNETES_COMPONENTS) {
    const image = images[component]
    if (image !== undefined && versionOfImage(image) !== to) {
      const message = `a patch in the configuration of ${machine} says that ${component} is ${image}, so it would not become ${to}. Take the image out of the patch, or change it together with spec.kubeVersion`
      return { reason: 'KubernetesImagePinned', message }
    }
  }
  return undefined
}

function removalProblem(
  machine: string,
  config: MachineConfig,
  { from, to }: Step,
): KubernetesProblem | undefined {
  const [removed] = removedInUse(config, { from, to })
  if (!removed) return undefined
  const { kind, name, path } = removed
  const message = `Kubernetes ${to} does not have the ${kind} ${name} any more, which the configuration of ${machine} names in ${path}. Take it out of the patches first`
  return { reason: 'KubernetesRemovesInUse', message }
}

/** What speaks against the kubelet that a worker would have by its configuration, beside the API servers that there are. */
export function kubeletProblem(
  machine: string,
  config: MachineConfig,
  { from, apiServers }: { from: string | undefined; apiServers: readonly string[] },
): KubernetesProblem | undefined {
  const to = versionsIn(config).kubelet
  // Of an image without a version nobody knows.
  if (to === undefined) return undefined
  for (const server of new Set(apiServers)) {
    const skew = kubeletSkewProblem(to, server)
    const reason = isOlder(server, to) ? 'KubeletTooNew' : 'KubeletTooOld'
    if (skew) return { reason, message: `${machine}: ${skew}` }
  }
  return from === undefined ? undefined : removalProblem(machine, config, { from, to })
}
