import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { dnsSubdomain, pathSegment } from '#apiserver/metadata/name-rules.ts'
import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'
import { checkOneOf, checkText } from './field-checks.ts'
import { childOf, fill, fillEmpty, isSame, itemsOf } from './fill.ts'
import { invalidGoValue } from './go-value.ts'
import { type BuiltinBehaviour, builtin, type Traits } from './kind-behaviour.ts'

const group = 'rbac.authorization.k8s.io'

const role = (isNamespaced: boolean): BuiltinBehaviour =>
  rule({
    setDefaults: (object) => {
      object.rules ??= null
    },
    prepareCreate: dropEmptyRules,
    prepareUpdate: dropEmptyRules,
    validate: (object) =>
      itemsOf(object, 'rules').flatMap((one, index) =>
        validateRule(one, `rules[${index}]`, isNamespaced),
      ),
  })

/** No rules are none, whoever wrote an empty list. */
function dropEmptyRules(object: Fields): void {
  if (listAt(object, 'rules').length === 0) object.rules = null
}

const binding = (kinds: readonly string[]): BuiltinBehaviour =>
  rule({
    setDefaults(object) {
      fillEmpty(childOf(object, 'roleRef'), { apiGroup: group })
      fill(fieldsAt(object, 'roleRef'), { kind: '', name: '' })
      for (const subject of itemsOf(object, 'subjects'))
        if (subject.kind === 'User' || subject.kind === 'Group')
          fillEmpty(subject, { apiGroup: group })
    },
    validate: (object, old) => [
      ...(old && !isSame(object.roleRef, old.roleRef)
        ? [invalidGoValue('roleRef', shownRef(object), 'cannot change roleRef')]
        : []),
      ...validateReference(fieldsAt(object, 'roleRef'), kinds),
      ...itemsOf(object, 'subjects').flatMap((subject, index) =>
        validateSubject(subject, `subjects[${index}]`, kinds.length > 1),
      ),
    ],
  })

const shownRef = (object: Fields): Fields => {
  const { apiGroup, kind, name } = fieldsAt(object, 'roleRef')
  return { APIGroup: apiGroup, Kind: kind, Name: name }
}

const rule = (traits: Traits): BuiltinBehaviour =>
  builtin({ allowsCreateOnUpdate: true, nameRule: 'pathSegment', ...traits })

/** Roles and bindings: what they grant is for the authorizer to say. */
export const roles: Readonly<Record<string, BuiltinBehaviour>> = {
  roles: role(true),
  clusterroles: role(false),
  rolebindings: binding(['Role', 'ClusterRole']),
  clusterrolebindings: binding(['ClusterRole']),
}

function validateRule(one: Fields, field: string, isNamespaced: boolean): FieldError[] {
  const urls = listAt(one, 'nonResourceURLs')
  const [groups, resources] = [listAt(one, 'apiGroups'), listAt(one, 'resources')]
  const errors: FieldError[] = []
  if (listAt(one, 'verbs').length === 0)
    errors.push(required(`${field}.verbs`, 'verbs must contain at least one value'))
  if (urls.length > 0) {
    const problem = isNamespaced
      ? 'namespaced rules cannot apply to non-resource URLs'
      : 'rules cannot apply to both regular resources and non-resource URLs'
    if (isNamespaced || groups.length > 0 || resources.length > 0)
      errors.push(invalidField(`${field}.nonResourceURLs`, urls, problem))
    return errors
  }
  if (groups.length === 0)
    errors.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'))
  if (resources.length === 0)
    errors.push(required(`${field}.resources`, 'resource rules must supply at least one resource'))
  return errors
}

const validateReference = (reference: Fields, kinds: readonly string[]): FieldError[] => [
  ...checkOneOf(reference.apiGroup, 'roleRef.apiGroup', [group]),
  ...checkOneOf(reference.kind ?? '', 'roleRef.kind', kinds),
  ...checkText(reference.name, 'roleRef.name', pathSegment),
]

function validateSubject(subject: Fields, field: string, isNamespaced: boolean): FieldError[] {
  const { kind = '', apiGroup = '' } = subject
  if (kind !== 'ServiceAccount')
    return [
      ...checkText(subject.name, `${field}.name`),
      ...(kind === 'User' || kind === 'Group'
        ? checkOneOf(apiGroup, `${field}.apiGroup`, [group])
        : checkOneOf(kind, `${field}.kind`, ['ServiceAccount', 'User', 'Group'])),
    ]
  return [
    ...checkText(subject.name, `${field}.name`, dnsSubdomain),
    ...(apiGroup === '' ? [] : checkOneOf(apiGroup, `${field}.apiGroup`, [''])),
    ...(isNamespaced || subject.namespace ? [] : [required(`${field}.namespace`, '')]),
  ]
}
