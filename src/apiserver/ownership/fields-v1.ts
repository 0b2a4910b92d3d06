import { MOST, tooMuch } from '#apiserver/body-size.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { MANY } from './compare.ts'
import { emptySet, type FieldSet, leaf, nodeOf } from './field-set.ts'
import { inElementOrder, PathElementError, readElement } from './path-element.ts'

/** What a `fieldsV1` says. Throws a `PathElementError` when it is none. */
export function* readFieldsV1(fields: unknown): Steps<FieldSet> {
  if (fields === undefined || fields === null) return emptySet
  const given = fieldsIn(fields)
  const set = yield* read(given, Object.keys(given))
  return set.children === undefined ? emptySet : nodeOf(false, set.children)
}

function* read(fields: Fields, keys: readonly string[]): Steps<FieldSet> {
  if (keys.length > MANY) yield
  let children: Map<string, FieldSet> | undefined
  let owned = false
  for (const key of keys) {
    if (key === '.') {
      owned = true
      continue
    }
    const element = readElement(key)
    if (element === undefined) continue
    children ??= new Map()
    const below = fieldsIn(fields[key])
    // Of very many, even the list takes a while: it is made once.
    const keysBelow = Object.keys(below)
    children.set(element, keysBelow.length === 0 ? leaf : yield* read(below, keysBelow))
    if (isDue()) yield
  }
  return children === undefined ? leaf : { owned, children }
}

function fieldsIn(value: unknown): Fields {
  if (!isFields(value)) throw new PathElementError('not an object')
  return value
}

/** A set as a `fieldsV1`, its keys in the order of Kubernetes. */
export function* writeFieldsV1(set: FieldSet): Steps<Fields> {
  if ((set.children?.size ?? 0) > MOST.fields) throw tooMuch(`${MOST.fields} items in one list`)
  const out: Fields = set.owned && set.children !== undefined ? { '.': {} } : {}
  for (const [element, child] of yield* inOrder(set)) {
    out[element] = child.children === undefined ? {} : yield* writeFieldsV1(child)
    if (isDue()) yield
  }
  return out
}

/** The nodes right below, ordered. */
function* inOrder({ children }: FieldSet): Steps<[string, FieldSet][]> {
  return children === undefined ? [] : yield* inElementOrder([...children])
}

/** Every path of a set in the order of Kubernetes: what is on a level before what is below it. */
export function* pathsOf(set: FieldSet): Steps<string[][]> {
  const paths: string[][] = []
  yield* addPaths(paths, set, [])
  return paths
}

function* addPaths(paths: string[][], set: FieldSet, prefix: readonly string[]): Steps<void> {
  const entries = yield* inOrder(set)
  for (const [element, child] of entries) if (child.owned) paths.push([...prefix, element])
  for (const [element, child] of entries) {
    if (isDue()) yield
    if (child.children !== undefined) yield* addPaths(paths, child, [...prefix, element])
  }
}
