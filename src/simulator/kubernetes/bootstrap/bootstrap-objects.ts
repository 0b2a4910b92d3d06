import { talosRelease } from '#simulator/kubernetes/nodes/talos-release.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import type { Bootstrap, BootstrapObject } from './bootstrap.ts'
import { coreDns } from './core-dns.ts'
import { flannel } from './flannel.ts'
import { kubeProxy } from './kube-proxy.ts'
import { ownEndpoints } from './own-endpoints.ts'
import { talosAccess } from './talos-access.ts'

/**
 * Creates what Talos puts into a new cluster, where it is missing; what is there stays as it is, as with Talos, which
 * changes such objects only in an upgrade of Kubernetes.
 */
export async function createBootstrapObjects(scene: Scene): Promise<void> {
  const { facts, objects } = scene
  const made = bootstrapObjects({ facts, ...versionsIn(scene) })
  for (const { id, fields } of made) await objects.create(id, fields)
  await ownEndpoints(scene)
}

function bootstrapObjects(bootstrap: Bootstrap): BootstrapObject[] {
  const { facts } = bootstrap
  return [
    ...talosAccess(bootstrap),
    ...(facts.cni === 'flannel' ? flannel(bootstrap) : []),
    ...(facts.hasKubeProxy ? kubeProxy(bootstrap) : []),
    ...(facts.hasCoreDns ? coreDns(bootstrap) : []),
  ]
}

function versionsIn({ controlPlanes, kubelets }: Scene): Omit<Bootstrap, 'facts'> {
  const [first] = controlPlanes.all()
  const image = first?.components['kube-apiserver'].image ?? ''
  const talosVersion = first && kubelets.get(first.nodeName)?.facts.talosVersion
  return {
    release: talosRelease(talosVersion ?? ''),
    kubernetesVersion: /:(v[^@]+)/.exec(image)?.[1] ?? 'v1.35.0',
  }
}
