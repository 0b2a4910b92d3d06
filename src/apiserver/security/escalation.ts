import { isDeepStrictEqual } from 'node:util'
import { forbidden, notFound } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import type { Attributes } from '#apiserver/request.ts'
import { type PolicyRule, rulesIn } from './policy-rule.ts'
import { isSuperuser, missingText, type Rbac } from './rbac.ts'
import { describeRules, listed, uncovered } from './rule-cover.ts'

/** A role or a binding that is about to be written. */
export interface RoleWrite {
  /** Of the request. */
  asked: Attributes
  object: Fields
  old: Fields | undefined
}

const GROUP = 'rbac.authorization.k8s.io'

const EVERYTHING: PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
]

/**
 * Throws when somebody would give rights that they do not have themselves, to others or to themselves,
 * and may neither `escalate` nor `bind`. Writes of other kinds are none of its business.
 */
export function refuseEscalation(rbac: Rbac, write: RoleWrite): void {
  const { asked } = write
  if (asked.group !== GROUP || asked.subresource !== '' || isSuperuser(asked.user)) return
  const isRole = asked.resource === 'roles' || asked.resource === 'clusterroles'
  const isBinding = asked.resource === 'rolebindings' || asked.resource === 'clusterrolebindings'
  if (isRole) refuseRole(rbac, write)
  else if (isBinding) refuseBinding(rbac, write)
}

function refuseRole(rbac: Rbac, write: RoleWrite): void {
  const { asked, object, old } = write
  if (rbac.authorize({ ...asked, verb: 'escalate', version: '*' }).allowed) return
  if (changesOnlyOwners(write)) return
  refuseRules(rbac, write, rulesIn(object))
  const aggregates = isAggregating(object) || (old !== undefined && isAggregating(old))
  if (aggregates && lacks(rbac, asked, EVERYTHING).length > 0) {
    throw forbidden(aboutOf(write), 'must have cluster-admin privileges to use the aggregationRule')
  }
}

function refuseBinding(rbac: Rbac, write: RoleWrite): void {
  const { asked, object } = write
  if (changesOnlyOwners(write)) return
  const ref = fieldsAt(object, 'roleRef')
  const role = { kind: textAt(ref, 'kind') ?? '', name: textAt(ref, 'name') ?? '' }
  if (mayBind(rbac, asked, role)) return
  const rules = rbac.rulesOfRole(role, asked.namespace)
  if (!rules) throw notFound({ group: GROUP, kind: asked.resource, name: role.name })
  refuseRules(rbac, write, rules)
}

function mayBind(
  rbac: Rbac,
  asked: Attributes,
  { kind, name }: { kind: string; name: string },
): boolean {
  if (kind !== 'Role' && kind !== 'ClusterRole') return false
  const resource = `${kind.toLowerCase()}s`
  return rbac.authorize({ ...asked, verb: 'bind', version: '*', resource, name }).allowed
}

function refuseRules(rbac: Rbac, write: RoleWrite, rules: readonly PolicyRule[]): void {
  const { asked } = write
  const lacking = lacks(rbac, asked, rules)
  if (lacking.length === 0) return
  const { missing } = rbac.rulesFor(asked.user, asked.namespace)
  const unresolved =
    missing.length > 0 ? `; resolution errors: [${missingText(missing, asked.resource)}]` : ''
  throw forbidden(
    aboutOf(write),
    `user ${JSON.stringify(asked.user.name)} (groups=${listed(asked.user.groups)}) is attempting to grant RBAC permissions not currently held:\n${describeRules(lacking)}${unresolved}`,
  )
}

const lacks = (rbac: Rbac, { user, namespace }: Attributes, rules: readonly PolicyRule[]) =>
  uncovered(rbac.rulesFor(user, namespace).rules, rules)

const aboutOf = ({ asked, object }: RoleWrite) => {
  const name = textAt(fieldsAt(object, 'metadata'), 'name')
  return { group: GROUP, kind: asked.resource, ...(name && { name }) }
}

const isAggregating = (role: Fields): boolean =>
  listAt(fieldsAt(role, 'aggregationRule'), 'clusterRoleSelectors').length > 0

/** What the garbage collector does: it has no rights of its own to give. */
function changesOnlyOwners({ object, old }: RoleWrite): boolean {
  return old !== undefined && isDeepStrictEqual(withoutOwners(object), withoutOwners(old))
}

function withoutOwners(object: Fields): Fields {
  const {
    ownerReferences: _,
    finalizers: __,
    managedFields: ___,
    ...metadata
  } = fieldsAt(object, 'metadata')
  return { ...object, metadata }
}
