import { kinds } from '#api/kinds.ts'
import type { Kind } from '#api/meta.ts'
import type { PolicyRule } from '#runtime/rbac.ts'
import { LABELS, NAME } from './names.ts'

/** Verbs by who somebody is. Names and verbs are the published ones. */
const VERBS = {
  viewer: ['get', 'list', 'watch'],
  editor: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  // Whoever may do everything may hand it on, too: nobody can give away what he has not.
  admin: ['*'],
}

/**
 * What people may be given, one role for each kind and sort of person: `talos-operator-taloscluster-viewer-role`. Nobody has them
 * before an administrator binds them. None reads a Secret or writes a status, and none is aggregated to Kubernetes' own roles: a
 * spec may hold keys, and whoever edits one decides what becomes of machines.
 */
export const userRoles = () =>
  userRules().map(({ name, rules }) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `${NAME}-${name}`, labels: LABELS },
    rules,
  }))

/** The same by what they are called after the operator's own name. */
export const userRules = (): { name: string; rules: PolicyRule[] }[] =>
  kinds.flatMap((kind) =>
    Object.entries(VERBS).map(([who, verbs]) => ({
      name: `${kind.kind.toLowerCase()}-${who}-role`,
      rules: rulesFor(kind, verbs),
    })),
  )

const rulesFor = ({ group, plural }: Kind, verbs: string[]): PolicyRule[] => [
  { apiGroups: [group], resources: [plural], verbs },
  { apiGroups: [group], resources: [`${plural}/status`], verbs: ['get'] },
]
