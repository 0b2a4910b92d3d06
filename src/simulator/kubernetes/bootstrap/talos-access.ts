import type { Bootstrap, BootstrapObject } from './bootstrap.ts'

const RBAC = 'rbac.authorization.k8s.io'
const GROUP = 'system:nodes'
const NAME = 'system:talos-nodes'

/** How pods find the API. */
export const kubeconfigInCluster = ({ facts }: Bootstrap): BootstrapObject[] => [
  {
    id: { plural: 'configmaps', namespace: 'kube-system', name: 'kubeconfig-in-cluster' },
    fields: { data: { server: facts.endpoint } },
  },
]

/** What Talos lets its nodes do. */
export const talosAccess = (): BootstrapObject[] => [
  {
    id: { plural: 'clusterroles', namespace: '', name: NAME },
    fields: {
      rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] }],
    },
  },
  {
    id: { plural: 'clusterrolebindings', namespace: '', name: NAME },
    fields: {
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: NAME },
      subjects: [{ apiGroup: RBAC, kind: 'Group', name: GROUP }],
    },
  },
]
