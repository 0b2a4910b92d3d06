import type { Value, ValueMap } from '#machineconfig/document.ts'
import type { List, Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { isMap } from '#machineconfig/write/zero-value.ts'
import { leafText } from './leaf-text.ts'
import { MergeProblem } from './merge-problem.ts'
import { isList, isSet } from './sides.ts'

/** What to delete: where, and for an item of a list, which one. */
export interface Target {
  readonly path: readonly string[]
  readonly key: string
  readonly value: string
}

/** The fields without what a `$patch: delete` points to. Throws a MergeProblem if it is not there. */
export function deletePath(shape: Struct, fields: ValueMap, target: Target): ValueMap {
  return deleteFromStruct(shape, fields, target)
}

const lookupFailed = (): MergeProblem => new MergeProblem('lookup failed')

function deleteFrom(shape: Shape, value: Value | undefined, target: Target): Value {
  if (shape.is === 'pointer') {
    if (!isSet(value)) throw lookupFailed()
    return deleteFrom(shape.to, value, target)
  }
  if (shape.is === 'struct') return deleteFromStruct(shape, isMap(value) ? value : {}, target)
  if (shape.is === 'list') return deleteItem(shape, isList(value) ? value : [], target)
  if (shape.is === 'leaf' || !isMap(value)) throw lookupFailed()
  return deleteFromMap(shape.is === 'map' ? shape.of : FREE, value, target)
}

// Below the root of a free-form object there are maps, lists and scalars of any kind.
const FREE = { is: 'free', name: 'any' } as const

function deleteFromStruct(shape: Struct, fields: ValueMap, target: Target): ValueMap {
  const [name = '', ...path] = target.path
  // Talos looks for the names that its types have in YAML, and these read theirs by themselves.
  const field = shape.name.startsWith('x509.') ? undefined : shape.fields.get(name)
  if (!field) throw lookupFailed()
  if (path.length === 0) return without(fields, name)
  const value = deleteFrom(field.shape, fields[name], { ...target, path })
  return { ...fields, [name]: value }
}

function deleteFromMap(of: Shape, map: ValueMap, target: Target): ValueMap {
  const [key = '', ...path] = target.path
  if (!Object.hasOwn(map, key)) throw lookupFailed()
  if (path.length === 0) return without(map, key)
  const value = map[key]
  if (of.is === 'free' && isList(value)) throw listProblem({ ...target, path }) ?? lookupFailed()
  return withValue(map, key, deleteFrom(of, value, { ...target, path }))
}

function deleteItem({ of }: List, items: readonly Value[], target: Target): readonly Value[] {
  const problem = listProblem(target)
  if (problem) throw problem
  const shape = of.is === 'pointer' ? of.to : of
  const field = shape.is === 'struct' ? shape.fields.get(target.key) : undefined
  const index = field
    ? items.findIndex(
        (item) => isMap(item) && leafText(field.shape, item[field.name]) === target.value,
      )
    : -1
  if (index === -1) throw lookupFailed()
  return items.filter((_, at) => at !== index)
}

function listProblem({ path: [first = '', ...rest] }: Target): MergeProblem | undefined {
  if (rest.length) {
    return new MergeProblem('searching for complex paths in slices is not supported')
  }
  if (first === '') return new MergeProblem("searching for '' in a slice is not supported")
  if (!first.startsWith('[')) {
    return new MergeProblem('searching for non-integer keys in slices is not supported')
  }
  return
}

function without(map: ValueMap, key: string): ValueMap {
  const left: Record<string, Value> = Object.assign(Object.create(null), map)
  delete left[key]
  return left
}

function withValue(map: ValueMap, key: string, value: Value): ValueMap {
  const changed: Record<string, Value> = Object.assign(Object.create(null), map)
  changed[key] = value
  return changed
}
