import type { Resource, Subresource } from '#apiserver/resource.ts'
import type { Schema } from '#apiserver/schema.ts'
import { conversions } from './conversions.ts'
import { decodeBuiltinInSteps } from './decode.ts'
import { resources } from './generated/kinds.ts'
import { schemaOf } from './schemas.ts'
import { definitionOfKind } from './table.ts'

/** A built-in kind as discovery tells of it; its schema is made when it is first asked for. */
export type BuiltinResource = Omit<Resource, 'behaviour'>

/**
 * Every built-in kind that the embedded API serves, in the order of Kubernetes' discovery. The list and the
 * objects are the caller's own; copying one with `...` makes its schema, so add to it with Object.assign.
 */
export const builtinResources = (): BuiltinResource[] =>
  resources
    .split('\n')
    .map(parse)
    .filter(({ r }) => !UNSERVED.has(r))
    .map(resourceOf)

/** The schema of a kind that is built in, in one version: also of bodies such as Scale or Eviction. */
export function schemaOfKind(group: string, version: string, kind: string): Schema | undefined {
  const name = definitionOfKind(group, version, kind)
  return name === undefined ? undefined : schemaOf(name)
}

// What only a kubelet, or the parts of a control plane, can answer.
const UNSERVED = new Set(['componentstatuses'])
const UNSERVED_BELOW = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])

/** A line of the table. */
interface Line {
  g: string
  v: string
  /** Plural, singular, kind. */
  r: string
  s: string
  k: string
  /** Namespaced. */
  n?: 1
  /** Verbs, with spaces between. */
  b: string
  /** Short names and categories. */
  h?: readonly string[]
  c?: readonly string[]
  u?: readonly { r: string; k: string; g?: string; v?: string; b: string }[]
}

const parse = (line: string): Line => JSON.parse(line) // the generated table's own lines

function resourceOf(line: Line): BuiltinResource {
  const { g: group, v: version, r: plural, k: kind } = line
  const kept = conversions[`${group}/${version}/${plural}`] ?? {
    stored: { group, plural, version },
  }
  let schema: Schema | undefined
  const resource: BuiltinResource = {
    group,
    version,
    plural,
    singular: line.s,
    kind,
    listKind: `${kind}List`,
    namespaced: line.n === 1,
    shortNames: line.h ?? [],
    categories: line.c ?? [],
    verbs: line.b.split(' '),
    subresources: subresourcesOf(line),
    get schema() {
      schema ??= schemaOfKind(group, version, kind) ?? {}
      return schema
    },
    decode: (given) => decodeBuiltinInSteps(given, resource),
    ...kept,
    isCustom: false,
  }
  return resource
}

const subresourcesOf = ({ u = [], g, v }: Line): Subresource[] =>
  u
    .filter(({ r }) => !UNSERVED_BELOW.has(r))
    .map((one) => ({
      name: one.r,
      kind: one.k,
      group: one.g ?? g,
      version: one.v ?? v,
      verbs: one.b.split(' '),
    }))
