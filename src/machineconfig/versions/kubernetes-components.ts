/** What Kubernetes is made of on a machine, in the order in which it is upgraded. */
export const KUBERNETES_COMPONENTS = [
  'apiServer',
  'controllerManager',
  'scheduler',
  'proxy',
  'kubelet',
] as const

export type KubernetesComponent = (typeof KUBERNETES_COMPONENTS)[number]

/** Each with or without `v`. */
export type ComponentVersions = Readonly<Record<KubernetesComponent, string>>
