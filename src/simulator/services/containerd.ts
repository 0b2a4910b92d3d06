import type { ImageNamespace } from '#simulator/machine/image-store.ts'
import { Refusal } from '#simulator/refusal.ts'
import {
  ContainerDriver,
  type ContainerdInstance,
  ContainerdNamespace,
} from '#talos/generated/common/common_pb.ts'

/** Where images are kept, as the newer calls name it: which containerd, and which part of it. */
export function imagesIn(instance: ContainerdInstance | undefined): ImageNamespace {
  const { driver = ContainerDriver.CONTAINERD, namespace = 0 } = instance ?? {}
  if (namespace === ContainerdNamespace.NS_CRI && driver !== ContainerDriver.CRI) {
    throw new Refusal('InvalidArgument', 'cannot use CRI namespace with containerd driver')
  }
  const images = imagesInNamespace(namespace)
  return driver === ContainerDriver.CRI ? images : 'memory'
}

/** The same as the older calls name it. */
export function imagesInNamespace(namespace: ContainerdNamespace): ImageNamespace {
  if (namespace === ContainerdNamespace.NS_SYSTEM) return 'system'
  if (namespace === ContainerdNamespace.NS_CRI) return 'cri'
  throw new Refusal(
    'InvalidArgument',
    `invalid containerd namespace ${namespace === 0 ? 'NS_UNKNOWN' : namespace}`,
  )
}
