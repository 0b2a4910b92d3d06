import type { ConfigDocument, Value, ValueMap } from '#machineconfig/document.ts'
import type { Field, Leaf, Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { parseVersion, type Version } from '#machineconfig/versions/version.ts'
import { isMap } from '#machineconfig/write/zero-value.ts'
import { readLeaf } from './leaves/read-leaf.ts'
import { Refusal } from './refusal.ts'

/**
 * What in a document a version of Talos does not have: the kind, a field, one of the words of a field
 * or a form of its value. Undefined if it has everything.
 */
export function problemWithVersion(
  { kind, fields }: ConfigDocument,
  talosVersion: string,
): string | undefined {
  const target = parseVersion(talosVersion)
  if (!target) return `${JSON.stringify(talosVersion)} is no version of Talos`
  if (kind.since > target.minor) return needs(`kind ${kind.kind}`, kind.since, target)
  return structProblem(kind.shape, fields, { path: '', target })
}

interface Place {
  readonly path: string
  readonly target: Version
}

const needs = (what: string, since: number | string, { minor }: Version): string =>
  `${what} needs Talos v1.${since} or newer, the target is v1.${minor}`

function structProblem({ fields }: Struct, value: ValueMap, place: Place): string | undefined {
  for (const name of Object.keys(value)) {
    const field = fields.get(name)
    const inner = { ...place, path: place.path ? `${place.path}.${name}` : name }
    const problem = field && fieldProblem(field, value[name] ?? null, inner)
    if (problem) return problem
  }
  return
}

function fieldProblem(field: Field, value: Value, place: Place): string | undefined {
  const { path, target } = place
  if (field.since > target.minor) return needs(path, field.since, target)
  if (field.before && target.minor <= field.before.until && !takes(field.before.shape, value)) {
    return needs(`the form of ${path}`, field.before.until + 1, target)
  }
  return valueProblem(field.shape, value, place)
}

function valueProblem(shape: Shape, value: Value, place: Place): string | undefined {
  switch (shape.is) {
    case 'pointer':
      return valueProblem(shape.to, value, place)
    case 'struct':
      return isMap(value) ? structProblem(shape, value, place) : undefined
    case 'leaf':
      return leafProblem(shape, value, place)
    case 'free':
      return
    default:
      return innerProblem(shape.of, value, place)
  }
}

function innerProblem(of: Shape, value: Value, { path, target }: Place): string | undefined {
  if (value === null || typeof value !== 'object' || isAgeless(of)) return
  for (const [key, inner] of Object.entries(value)) {
    const place = { path: Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, target }
    const problem = valueProblem(of, inner, place)
    if (problem) return problem
  }
  return
}

/** Whether all versions take the same, so that there is no need to look at each of many. */
const isAgeless = (shape: Shape): boolean =>
  shape.is === 'free' ||
  (shape.is === 'leaf' && shape.type.reads !== 'enum' && shape.type.reads !== 'argument')

// Through this patch version, Talos cannot read the lists that it has types for.
const LAST_WITHOUT_LISTS = { minor: 13, patch: 5 }

function leafProblem({ type }: Leaf, value: Value, { path, target }: Place): string | undefined {
  if (type.reads === 'argument' && Array.isArray(value)) {
    const { minor, patch } = LAST_WITHOUT_LISTS
    return target.minor === minor && target.patch <= patch
      ? needs(`a list in ${path}`, `${minor}.${patch + 1}`, target)
      : undefined
  }
  if (type.reads !== 'enum' || typeof value !== 'string') return
  const since = type.values.get(value) ?? 0
  return since > target.minor ? needs(`${value} in ${path}`, since, target) : undefined
}

/** Whether the type that a field had before would have taken a value. */
function takes(shape: Shape, value: Value): boolean {
  if (shape.is === 'map')
    return isMap(value) && Object.values(value).every((one) => takes(shape.of, one))
  if (shape.is !== 'leaf') return true
  if (typeof value !== 'string') return typeof value !== 'object'
  const node = { kind: 'scalar', line: 0, column: 0, tag: '', text: value, plain: false } as const
  return !(readLeaf(shape, node) instanceof Refusal)
}
