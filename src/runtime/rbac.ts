import { Event } from '#api/foreign.ts'
import { type ApiKind, VITISTACK_GROUP } from '#api/meta.ts'
import type { Controller } from './controller.ts'
import { kindId } from './kind-id.ts'

/** One rule of a role, as Kubernetes has it. */
export interface PolicyRule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
}

/** What may be done to a resource, or to a part of one (`talosmachines/status`). */
interface Permission {
  kind: ApiKind
  part?: 'status' | 'finalizers'
  verbs: readonly string[]
}

/** Verbs in the order in which people are used to read them. */
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']

/**
 * The rules that the document of vitistack.io publishes, word for word. They allow more than what our
 * controllers declare; whoever has built on them finds them.
 */
export const publishedRules: readonly PolicyRule[] = [
  {
    apiGroups: [VITISTACK_GROUP],
    resources: ['kubernetesclusters', 'machines'],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  },
]

/** The permission to hold the Lease of the election, in the operator's own namespace. */
export const leaderElectionRules: readonly PolicyRule[] = [
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get', 'create', 'update'],
  },
]

/** Exactly what these controllers declare that they read and write, and nothing else. */
export function rulesOf(
  controllers: readonly Controller[],
  scope?: ApiKind['scope'],
): PolicyRule[] {
  const permissions = [
    ...controllers.flatMap(permissionsOf),
    ...(controllers.length > 0 ? [{ kind: Event, verbs: ['create', 'patch'] }] : []),
  ].filter(({ kind }) => scope === undefined || kind.scope === scope)
  return toRules(permissions)
}

const permissionsOf = ({ kind, reads, writes, hasTeardown }: Controller): Permission[] => [
  { kind, verbs: ['get', 'list', 'watch', ...(hasTeardown ? ['patch'] : [])] },
  { kind, part: 'status', verbs: ['patch'] },
  // Where the server checks who may make deletion of an owner wait for what it owns.
  { kind, part: 'finalizers', verbs: ['update'] },
  ...reads.map(({ kind: read, from, namedBy }) => ({
    kind: read,
    verbs: from === 'cache' || namedBy ? ['get', 'list', 'watch'] : ['get'],
  })),
  ...writes,
]

/** Resources of one group that allow the same stand in one rule; everything in a fixed order. */
function toRules(permissions: readonly Permission[]): PolicyRule[] {
  const verbsOf = new Map<string, { group: string; resource: string; verbs: Set<string> }>()
  for (const { kind, part, verbs } of permissions) {
    const id = `${kindId(kind)}/${part ?? ''}`
    const resource = part ? `${kind.plural}/${part}` : kind.plural
    const known = verbsOf.get(id) ?? { group: kind.group, resource, verbs: new Set() }
    verbsOf.set(id, known)
    for (const verb of verbs) known.verbs.add(verb)
  }
  const rules = new Map<string, PolicyRule>()
  for (const { group, resource, verbs } of verbsOf.values()) {
    const inOrder = VERBS.filter((verb) => verbs.has(verb))
    const id = `${group} ${inOrder.join(' ')}`
    const rule = rules.get(id) ?? { apiGroups: [group], resources: [], verbs: inOrder }
    rules.set(id, rule)
    rule.resources.push(resource)
  }
  for (const rule of rules.values()) rule.resources.sort()
  return [...rules.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rule]) => rule)
}
