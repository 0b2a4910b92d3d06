// The kinds of which Talos creates objects in a new cluster, by their plurals.
const KINDS = {
  clusterrolebindings: ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'],
  clusterroles: ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
  configmaps: ['v1', 'ConfigMap'],
  daemonsets: ['apps/v1', 'DaemonSet'],
  deployments: ['apps/v1', 'Deployment'],
  serviceaccounts: ['v1', 'ServiceAccount'],
  services: ['v1', 'Service'],
} as const

export type ManifestKind = keyof typeof KINDS

/** What an object of a kind says of it. */
export function kindFields(plural: ManifestKind): { apiVersion: string; kind: string } {
  const [apiVersion, kind] = KINDS[plural]
  return { apiVersion, kind }
}
