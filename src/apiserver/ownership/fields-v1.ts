import { type Fields, isFields } from '#apiserver/objects.ts'
import { emptySet, type FieldSet, leaf, nodeOf } from './field-set.ts'
import { inElementOrder, PathElementError, readElement } from './path-element.ts'

/** What a `fieldsV1` says. Throws a `PathElementError` when it is none. */
export function readFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet
  const set = read(fields)
  return set.children === undefined ? emptySet : nodeOf(false, set.children)
}

function read(fields: unknown): FieldSet {
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
    children.set(element, read(fields[key]))
  }
  return children === undefined ? leaf : { owned, children }
}

/** A set as a `fieldsV1`, its keys in the order of Kubernetes. */
export function writeFieldsV1(set: FieldSet): Fields {
  const out: Fields = set.owned && set.children !== undefined ? { '.': {} } : {}
  for (const [element, child] of inOrder(set)) out[element] = writeFieldsV1(child)
  return out
}

/** The nodes right below, ordered. */
const inOrder = ({ children }: FieldSet): [string, FieldSet][] =>
  children === undefined ? [] : inElementOrder([...children])

/** Every path of a set in the order of Kubernetes: what is on a level before what is below it. */
export function* pathsOf(set: FieldSet, prefix: readonly string[] = []): Generator<string[]> {
  const entries = inOrder(set)
  for (const [element, child] of entries) if (child.owned) yield [...prefix, element]
  for (const [element, child] of entries) yield* pathsOf(child, [...prefix, element])
}
