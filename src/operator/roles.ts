import type { Controller } from '#runtime/controller.ts'
import { leaderElectionRules, type PolicyRule, publishedRules, rulesOf } from '#runtime/rbac.ts'
import { rulesToFollow } from '#runtime/rbac-named.ts'
import { ACCOUNT, LABELS, NAME } from './names.ts'
import type { KindName } from './settings-types.ts'

const API_VERSION = 'rbac.authorization.k8s.io/v1'
const BINDING = `${NAME}-manager-rolebinding`
const ELECTION = `${NAME}-leader-election`

/** Where an operator is, and whom it works for. */
export interface Where {
  /** Where the operator itself runs. */
  namespace: string
  /** Where it looks after clusters. Empty: everywhere. */
  namespaces: readonly string[]
  /** The kinds whose objects users may refer to. None if left out. */
  machineRefKinds?: readonly KindName[]
}

/**
 * The account that the operator runs as, and what it may do: exactly what its controllers declare, and
 * what the document of vitistack.io publishes, and to follow what users may refer to. With a list of namespaces
 * it may do it only there.
 */
export function rolesFor(controllers: readonly Controller[], where: Where) {
  const { namespace, namespaces, machineRefKinds = [] } = where
  const account = { kind: 'ServiceAccount', name: ACCOUNT, namespace }
  const grant = (role: Role) => [role, bindingOf(role, account)]
  const isEverywhere = namespaces.length === 0
  const { clusterWide, declared, published, election } = rulesFor(controllers)
  const namespaced = [...published, ...declared, ...rulesToFollow(machineRefKinds)]
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: ACCOUNT, namespace, labels: LABELS },
    },
    ...(isEverywhere ? grant(roleOf({ name: NAME }, [...clusterWide, ...namespaced])) : []),
    ...(!isEverywhere && clusterWide.length > 0 ? grant(roleOf({ name: NAME }, clusterWide)) : []),
    ...namespaces.flatMap((one) => grant(roleOf({ name: NAME, namespace: one }, namespaced))),
    ...grant(roleOf({ name: ELECTION, namespace }, election)),
  ]
}

/** The rules by what they follow from, for whoever puts roles together otherwise: the chart does. */
export const rulesFor = (controllers: readonly Controller[]) => ({
  published: publishedRules,
  /** For kinds that are in namespaces. */
  declared: rulesOf(controllers, 'Namespaced'),
  /** For kinds that are in none. */
  clusterWide: rulesOf(controllers, 'Cluster'),
  election: leaderElectionRules,
})

interface Role {
  apiVersion: string
  kind: 'ClusterRole' | 'Role'
  metadata: { name: string; namespace?: string; labels: Record<string, string> }
  rules: readonly PolicyRule[]
}

const roleOf = (
  place: { name: string; namespace?: string },
  rules: readonly PolicyRule[],
): Role => ({
  apiVersion: API_VERSION,
  kind: place.namespace === undefined ? 'ClusterRole' : 'Role',
  metadata: { ...place, labels: LABELS },
  rules,
})

const bindingOf = ({ kind, metadata }: Role, account: object) => ({
  apiVersion: API_VERSION,
  kind: `${kind}Binding`,
  metadata: { ...metadata, name: metadata.name === NAME ? BINDING : metadata.name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
  subjects: [account],
})
