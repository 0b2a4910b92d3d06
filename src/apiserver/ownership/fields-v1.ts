import { MOST, tooMuch } from '#apiserver/body-size.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { emptySet, type FieldSet, leaf, nodeOf } from './field-set.ts'
import { inElementOrder, PathElementError, readElement } from './path-element.ts'

/** What a `fieldsV1` says. Throws a `PathElementError` when it is none. */
export function* readFieldsV1(fields: unknown): Steps<FieldSet> {
  if (fields === undefined || fields === null) return emptySet
  const set = yield* read(fields)
  return set.children === undefined ? emptySet : nodeOf(false, set.children)
}

function* read(fields: unknown): Steps<FieldSet> {
  if (!isFields(fields)) throw new PathElementError('not an object')
  let children: Map<string, FieldSet> | undefined
  let owned = false
  for (const key in fields) {
    if (key === '.') {
      owned = true
      continue
    }
    const element = readElement(key)
    if (element === undefined) continue
    children ??= new Map()
    const below = fields[key]
    children.set(element, isEmptyMap(below) ? leaf : yield* read(below))
    if (isDue()) yield
  }
  return children === undefined ? leaf : { owned, children }
}

const isEmptyMap = (value: unknown): boolean => {
  if (!isFields(value)) return false
  for (const _ in value) return false
  return true
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
