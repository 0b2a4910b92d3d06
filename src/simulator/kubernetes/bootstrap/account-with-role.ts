import type { Fields } from '#apiserver/objects.ts'
import type { BootstrapObject } from './bootstrap.ts'

const RBAC = 'rbac.authorization.k8s.io'

/** A service account in kube-system, and what it may do. A text is the name of a role that is there already. */
export function accountWithRole(
  name: string,
  rules: readonly Fields[] | string,
): BootstrapObject[] {
  const role = typeof rules === 'string' ? rules : name
  const subject = { kind: 'ServiceAccount', name, namespace: 'kube-system' }
  return [
    { id: { plural: 'serviceaccounts', namespace: 'kube-system', name }, fields: {} },
    ...(typeof rules === 'string'
      ? []
      : [{ id: { plural: 'clusterroles', namespace: '', name } as const, fields: { rules } }]),
    {
      id: { plural: 'clusterrolebindings', namespace: '', name },
      fields: {
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
        subjects: [subject],
      },
    },
  ]
}
