import {
  type Definition,
  definitionOf,
  definitionOfKind,
  nameOfReference,
  type Shape,
} from '#apiserver/builtin/table.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Dialect } from './dialect.ts'
import type { Described, Kind } from './operations.ts'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'

/** The names of types that belong to every group. */
export const SHARED = {
  deleteOptions: `${META}.DeleteOptions`,
  patch: `${META}.Patch`,
  status: `${META}.Status`,
  objectMeta: `${META}.ObjectMeta`,
  listMeta: `${META}.ListMeta`,
} as const

/** The name of the definition of a kind: for those of CRDs, made from the group read backwards. */
export const nameOfKind = ({ group, version, kind }: Kind): string => {
  const item = kind.replace(/List$/, '')
  const builtin =
    definitionOfKind(group, version, kind) ?? withList(definitionOfKind(group, version, item))
  return builtin ?? [...group.split('.').toReversed(), version, kind].join('.')
}

const withList = (name: string | undefined): string | undefined => name && `${name}List`

/** The schemas of resources and of all that they refer to, by name and in order of it. */
export function componentsOf(resources: readonly Described[], dialect: Dialect): Fields {
  const components = new Map<string, Fields>()
  const pending: string[] = Object.values(SHARED)
  for (const resource of resources) {
    if (resource.isCustom) components.set(nameOfKind(resource), customComponent(resource, dialect))
    else pending.push(...kindsOf(resource).map(nameOfKind))
    if (resource.verbs.includes('list')) {
      const list = { ...resource, kind: resource.listKind }
      components.set(nameOfKind(list), listComponent(resource, dialect))
    }
    if (resource.isCustom) pending.push(...kindsOf(resource).slice(1).map(nameOfKind))
  }
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (components.has(name)) continue
    const definition = definitionOf(name)
    components.set(
      name,
      builtinComponent(definition, dialect, (next) => pending.push(next)),
    )
  }
  addGroupsOfOptions(components, resources)
  return Object.fromEntries([...components].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

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

function customComponent(resource: Described, dialect: Dialect): Fields {
  const written = dialect.custom(resource.schema)
  return {
    ...written,
    type: 'object',
    properties: {
      ...(typeof written.properties === 'object' && written.properties),
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: dialect.reference(SHARED.objectMeta, {}),
    },
    ...kindMark(resource),
  }
}

const listComponent = (resource: Described, dialect: Dialect): Fields => ({
  type: 'object',
  required: ['items'],
  properties: {
    apiVersion: { type: 'string' },
    items: { type: 'array', items: dialect.reference(nameOfKind(resource), {}) },
    kind: { type: 'string' },
    metadata: dialect.reference(SHARED.listMeta, {}),
  },
  ...kindMark({ ...resource, kind: resource.listKind }),
})

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
