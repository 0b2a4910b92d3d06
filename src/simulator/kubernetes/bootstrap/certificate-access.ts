import type { Fields } from '#apiserver/objects.ts'
import type { BootstrapObject } from './bootstrap.ts'

const RBAC = 'rbac.authorization.k8s.io'
const BOOTSTRAPPERS = 'system:bootstrappers:nodes'
const NODES = 'system:nodes'
const REQUESTS = 'system:certificates.k8s.io:certificatesigningrequests'

const binding = (name: string, role: string, ...groups: string[]): BootstrapObject => ({
  id: { plural: 'clusterrolebindings', namespace: '', name },
  fields: {
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: groups.map((group): Fields => ({ apiGroup: RBAC, kind: 'Group', name: group })),
  },
})

/** How kubelets get their certificates, by the names of the manifests. */
export const certificateAccess: readonly { name: string; object: BootstrapObject }[] = [
  {
    name: '01-csr-node-bootstrap',
    object: binding(
      ...(['system-bootstrap-node-bootstrapper', 'system:node-bootstrapper'] as const),
      ...[BOOTSTRAPPERS, NODES],
    ),
  },
  {
    name: '01-csr-approver-role-binding',
    object: binding(
      ...(['system-bootstrap-approve-node-client-csr', `${REQUESTS}:nodeclient`] as const),
      BOOTSTRAPPERS,
    ),
  },
  {
    name: '01-csr-renewal-role-binding',
    object: binding('system-bootstrap-node-renewal', `${REQUESTS}:selfnodeclient`, NODES),
  },
]
