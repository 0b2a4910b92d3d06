// Why a machine cannot be changed any further until somebody does something: the words that its parent knows it by.

export const CONFIG_REJECTED_REASON = 'ConfigRejected'
export const IMAGE_PULL_FAILED = 'ImagePullFailed'
export const COMPONENT_NOT_READY = 'ComponentNotReady'
export const KUBERNETES_DOWNGRADE = 'KubernetesDowngrade'

/** Those that stop an upgrade of Kubernetes. */
export const STANDSTILLS: readonly string[] = [
  CONFIG_REJECTED_REASON,
  IMAGE_PULL_FAILED,
  COMPONENT_NOT_READY,
  KUBERNETES_DOWNGRADE,
]
