import { ContainerDriver, ContainerdNamespace } from '#talos/generated/common/common_pb.ts'

/** Where an image is: for upgrades, for pods, or in memory before Talos is installed. */
export type ImageStore = 'system' | 'kubernetes' | 'memory'

/** The same for calls since v1.13. */
export const containerdOf = (store: ImageStore) => ({
  driver: store === 'memory' ? ContainerDriver.CONTAINERD : ContainerDriver.CRI,
  namespace: namespaceOf(store),
})

/** The same for the calls before. */
export const namespaceOf = (store: ImageStore): ContainerdNamespace =>
  store === 'kubernetes' ? ContainerdNamespace.NS_CRI : ContainerdNamespace.NS_SYSTEM
