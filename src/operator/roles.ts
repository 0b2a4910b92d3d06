import { PART_OF_LABELS } from '#api/crd.ts'
import type { Controller } from '#runtime/controller.ts'
import { leaderElectionRules, type PolicyRule, publishedRules, rulesOf } from '#runtime/rbac.ts'
import { rulesToFollow } from '#runtime/rbac-named.ts'
import type { KindName } from './settings-types.ts'

const API_VERSION = 'rbac.authorization.k8s.io/v1'
const ROLE = 'talos-operator'
const BINDING = 'talos-operator-manager-rolebinding'
const ELECTION = 'talos-operator-leader-election'
const SERVICE_ACCOUNT = 'talos-operator-controller-manager'

interface Where {
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
  const account = { kind: 'ServiceAccount', name: SERVICE_ACCOUNT, namespace }
  const grant = (role: Role) => [role, bindingOf(role, account)]
  const isEverywhere = namespaces.length === 0
  const clusterWide = rulesOf(controllers, 'Cluster')
  const namespaced = [
    ...publishedRules,
    ...rulesOf(controllers, 'Namespaced'),
    ...rulesToFollow(machineRefKinds),
  ]
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: SERVICE_ACCOUNT, namespace, labels: PART_OF_LABELS },
    },
    ...(isEverywhere ? grant(roleOf({ name: ROLE }, [...clusterWide, ...namespaced])) : []),
    ...(!isEverywhere && clusterWide.length > 0 ? grant(roleOf({ name: ROLE }, clusterWide)) : []),
    ...namespaces.flatMap((one) => grant(roleOf({ name: ROLE, namespace: one }, namespaced))),
    ...grant(roleOf({ name: ELECTION, namespace }, leaderElectionRules)),
  ]
}

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
  metadata: { ...place, labels: PART_OF_LABELS },
  rules,
})

const bindingOf = ({ kind, metadata }: Role, account: object) => ({
  apiVersion: API_VERSION,
  kind: `${kind}Binding`,
  metadata: { ...metadata, name: metadata.name === ROLE ? BINDING : metadata.name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
  subjects: [account],
})
