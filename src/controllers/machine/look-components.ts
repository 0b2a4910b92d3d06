import type { Secret } from '#base/secret.ts'
import type { ClusterNodes } from '#engine/cluster-nodes.ts'
import { ApiError } from '#kube/api-error.ts'
import { keyOf } from '#kube/cache.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import type { KubernetesComponent } from '#machineconfig/versions/kubernetes-components.ts'
import { kubernetesImages, versionOfImage } from '#machineconfig/versions/kubernetes-images.ts'
import type { ComponentsSeen, World } from './world.ts'

export const COMPONENTS_UNASKED: ComponentsSeen = { is: 'unasked' }

type Images = ReturnType<typeof kubernetesImages>

/** What runs as a pod of the machine itself, by the name that Talos gives it. */
const STATIC: readonly [KubernetesComponent, string][] = [
  ['apiServer', 'kube-apiserver'],
  ['controllerManager', 'kube-controller-manager'],
  ['scheduler', 'kube-scheduler'],
]

/**
 * Whether a machine that has its configuration also runs what that says. A machine takes another image at once, and says
 * nothing of whether it can be run.
 */
export async function lookAtComponents(
  world: Pick<World, 'parent' | 'seen' | 'wanted' | 'node' | 'turn'>,
  { nodes, signal }: { nodes: ClusterNodes; signal: AbortSignal },
): Promise<ComponentsSeen> {
  const { parent, seen, wanted, node, turn } = world
  if (turn === undefined || parent.is !== 'there' || !node) return COMPONENTS_UNASKED
  if (seen.is !== 'member' || wanted.is !== 'known' || !seen.config) return COMPONENTS_UNASKED
  if (seen.fingerprint !== wanted.fingerprint) return COMPONENTS_UNASKED
  const images = imagesIn(seen.config)
  const kubelet = kubeletAmiss(images, node.kubeletVersion)
  if (seen.type !== 'controlplane') return { is: 'known', amiss: kubelet }
  try {
    const pods = await nodes.staticPodsOn(keyOf(parent.controlPlane), node.name, signal)
    const amiss = STATIC.flatMap(([component, name]) => {
      const image = images[component]
      if (image === undefined) return []
      const pod = pods.find((one) => one.app === name)
      if (!pod) return [`${name} does not run`]
      if (pod.image !== image) return [`${name} runs ${pod.image}, and not ${image} yet`]
      return pod.isReady ? [] : [`${name} ${image} is not ready${pod.why && `: ${pod.why}`}`]
    })
    return { is: 'known', amiss: [...amiss, ...kubelet] }
  } catch (error) {
    // A machine is not to be stuck without a word because the API of its cluster is.
    if (error instanceof ApiError) return { is: 'unknown', message: error.message }
    throw error
  }
}

/** It is the one that the fingerprint was taken of, so it can be read. */
const imagesIn = (config: Secret<string>): Images => kubernetesImages(readConfig(config.open()))

function kubeletAmiss({ kubelet }: Images, runs: string): string[] {
  const version = kubelet === undefined ? undefined : versionOfImage(kubelet)
  if (version === undefined || version === runs) return []
  return [`the kubelet is ${runs || 'of no known version'}, and not ${version} yet`]
}
