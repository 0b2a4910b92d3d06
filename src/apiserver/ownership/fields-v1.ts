import { type Fields, isFields } from '#apiserver/objects.ts'
import { emptySet, type FieldSet, leaf, nodeOf } from './field-set.ts'
import { compareElements, PathElementError, readElement } from './path-element.ts'

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
function inOrder(set: FieldSet): [string, FieldSet][] {
  const entries = set.children === undefined ? [] : [...set.children]
  // They mostly come from a set that was written before, so that they are sorted already.
  for (let index = 1; index < entries.length; index++) {
    if (compareElements(entries[index - 1]?.[0] ?? '', entries[index]?.[0] ?? '') > 0) {
      return entries.sort(([a], [b]) => compareElements(a, b))
    }
  }
  return entries
}

/** Every path of a set in the order of Kubernetes: what is on a level before what is below it. */
export function* pathsOf(set: FieldSet, prefix: readonly string[] = []): Generator<string[]> {
  const entries = inOrder(set)
  for (const [element, child] of entries) if (child.owned) yield [...prefix, element]
  for (const [element, child] of entries) yield* pathsOf(child, [...prefix, element])
}
