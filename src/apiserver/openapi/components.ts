import {
  type Definition,
  definitionOf,
  definitionOfKind,
  nameOfReference,
  type Shape,
} from '#apiserver/builtin/table.ts'
import { type Fields, fieldsAt, isFields } from '#apiserver/objects.ts'
import type { Steps } from '#apiserver/steps.ts'
import type { Dialect } from './dialect.ts'
import { descriptions } from './meta-descriptions.ts'
import type { Described, Kind } from './operations.ts'
import { SHARED } from './shared-definitions.ts'

/** The name of the definition of a kind: for those of CRDs, made from the group read backwards. */
export const nameOfKind = ({ group, version, kind }: Kind): string => {
  const item = kind.replace(/List$/, '')
  const builtin =
    definitionOfKind(group, version, kind) ?? withList(definitionOfKind(group, version, item))
  return builtin ?? [...group.split('.').toReversed(), version, kind].join('.')
}

const withList = (name: string | undefined): string | undefined => name && `${name}List`

/** The schemas of resources and of all that they refer to, by name and in order of it. */
export function* componentsOf(
  resources: readonly Described[],
  dialect: Dialect,
): Steps<Record<string, Fields>> {
  const components = new Map<string, Fields>()
  const pending: string[] = Object.values(SHARED)
  for (const resource of resources) {
    if (resource.isCustom) {
      components.set(nameOfKind(resource), yield* customComponent(resource, dialect))
    } else pending.push(...kindsOf(resource).map(nameOfKind))
    if (resource.verbs.includes('list')) {
      components.set(nameOfKind(listOf(resource)), listComponent(resource, dialect))
    }
    if (resource.isCustom) pending.push(...kindsOf(resource).slice(1).map(nameOfKind))
    yield
  }
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (components.has(name)) continue
    const definition = definitionOf(name)
    const component = builtinComponent(definition, dialect, (next) => pending.push(next))
    components.set(name, described(component, descriptions[name], dialect))
    if (components.size % BETWEEN_PAUSES === 0) yield
  }
  addGroupsOfOptions(components, resources)
  return Object.fromEntries([...components].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

// Writing this many down takes a millisecond or two.
const BETWEEN_PAUSES = 50

// Nothing else is taken from the resource: its schema is made when it is asked for.
const listOf = ({ group, version, listKind }: Described): Kind => ({
  group,
  version,
  kind: listKind,
})

/** Of the resource itself, and of what goes over the wire below it. */
const kindsOf = (resource: Described): Kind[] => [
  resource,
  ...resource.subresources.filter(({ kind }) => kind !== resource.kind),
]

type Refer = (name: string) => void

function builtinComponent(definition: Definition, dialect: Dialect, refer: Refer): Fields {
  const { fields, gvk, shape } = definition
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const properties = fields.map(({ name, shape }) => [name, written(shape, dialect, refer)])
  return {
    ...written(shape, dialect, refer),
    ...(required.length > 0 && { required }),
    ...(fields.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(gvk && kindMark({ group: gvk[0], version: gvk[1], kind: gvk[2] })),
  }
}

function written(shape: Shape, dialect: Dialect, refer: Refer): Fields {
  const beside = {
    ...(shape.e && { enum: shape.e }),
    ...(dialect.hasDefaults && shape.d !== undefined && { default: shape.d }),
    ...extensionsOf(shape),
  }
  if (shape.r !== undefined) {
    const name = nameOfReference(shape.r)
    refer(name)
    return dialect.reference(name, beside)
  }
  if (shape.o) return dialect.anyOf(shape.o, shape.f)
  return {
    ...(shape.t && { type: shape.t }),
    ...(shape.f && { format: shape.f }),
    ...(shape.i && { items: written(shape.i, dialect, refer) }),
    ...(shape.a && { additionalProperties: written(shape.a, dialect, refer) }),
    ...beside,
  }
}

const extensionsOf = ({ l, k, m, s, y }: Shape): Fields => ({
  ...(l && { 'x-kubernetes-list-type': l }),
  ...(k && { 'x-kubernetes-list-map-keys': k }),
  ...(m && { 'x-kubernetes-map-type': m }),
  ...(s && { 'x-kubernetes-patch-strategy': s }),
  ...(y && { 'x-kubernetes-patch-merge-key': y }),
})

/** How clients find the schema of a kind. */
const kindMark = ({ group, version, kind }: Kind): Fields => ({
  'x-kubernetes-group-version-kind': [{ group, kind, version }],
})

function* customComponent(resource: Described, dialect: Dialect): Steps<Fields> {
  const isOpen = resource.schema['x-kubernetes-preserve-unknown-fields'] === true
  // Old kubectl takes what is listed for all that there may be.
  if (isOpen && !dialect.describesOpenKinds) return { type: 'object', ...kindMark(resource) }
  const written = yield* dialect.custom(resource.schema)
  const properties = {
    ...fieldsAt(written, 'properties'),
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: dialect.reference(SHARED.objectMeta, {}),
  }
  const component = {
    ...written,
    type: 'object',
    properties,
    ...kindMark(resource),
    ...selectableIn(resource),
  }
  return described(component, descriptions.object, dialect)
}

/** What clients may select objects by, besides their names. */
function selectableIn({ behaviour }: Described): Fields {
  const paths = Object.keys(behaviour?.selectableFields ?? {})
  if (paths.length === 0) return {}
  return { 'x-kubernetes-selectable-fields': paths.map((fieldPath) => ({ fieldPath })) }
}

function listComponent(resource: Described, dialect: Dialect): Fields {
  const { kind, listKind, plural, isCustom } = resource
  const items = { type: 'array', items: dialect.reference(nameOfKind(resource), {}) }
  const component = {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items,
      kind: { type: 'string' },
      metadata: dialect.reference(SHARED.listMeta, {}),
    },
    ...kindMark({ ...resource, kind: listKind }),
  }
  if (!isCustom) return component
  Object.assign(component, selectableIn(resource))
  const words = {
    ...descriptions.list,
    '': `A list of ${kind}.`,
    items: `The ${plural}.`,
  }
  return described(component, words, dialect)
}

/** A component with words for people: of its fields by their names, and of itself by none. */
function described(
  component: Fields,
  words: Readonly<Record<string, string>> | undefined,
  dialect: Dialect,
): Fields {
  if (!words) return component
  const properties = Object.entries(fieldsAt(component, 'properties')).map(([name, value]) => {
    const description = words[name]
    const isPlain = description === undefined || !isFields(value)
    return [name, isPlain ? value : dialect.described(value, description)]
  })
  return {
    ...component,
    ...(words[''] && { description: words[''] }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  }
}

/** DeleteOptions are a kind of every group. */
function addGroupsOfOptions(
  components: Map<string, Fields>,
  resources: readonly Described[],
): void {
  const options = components.get(SHARED.deleteOptions)
  const groups = new Map(
    [{ group: '', version: 'v1' }, ...resources].map(({ group, version }) => [
      `${group}/${version}`,
      { group, kind: 'DeleteOptions', version },
    ]),
  )
  if (options) options['x-kubernetes-group-version-kind'] = [...groups.values()]
}
