import type { Value, ValueMap } from '#machineconfig/document.ts'
import { isMap } from '#machineconfig/write/zero-value.ts'
import { MergeProblem, under } from './merge-problem.ts'
import { isList, isSet, type Sides } from './sides.ts'

/** Two objects without a type (kubelet's `extraConfig`): by key, each with a value of the same type. */
export function mergeFree({ left, right }: Sides): Value | undefined {
  // An empty one was never set: Go makes a map only for something to put into it.
  if (!isMap(right) || Object.keys(right).length === 0) return left
  return isMap(left) ? mergeMaps(left, right) : right
}

function mergeMaps(left: ValueMap, right: ValueMap): ValueMap {
  const merged: Record<string, Value> = Object.assign(Object.create(null), left)
  for (const [key, value] of Object.entries(right)) {
    const old = Object.hasOwn(left, key) ? left[key] : undefined
    merged[key] = isSet(old) ? under(key, () => mergeEqualTypes(old, value)) : value
  }
  return merged
}

function mergeEqualTypes(left: Value, right: Value): Value {
  // talosctl crashes on it.
  if (right === null) throw new MergeProblem('null cannot take the place of a value')
  const [was, is] = [goTypeOf(left), goTypeOf(right)]
  if (was !== is) throw new MergeProblem(`merge type mismatch left ${was} right ${is}`)
  if (isMap(left) && isMap(right)) return mergeMaps(left, right)
  if (isList(left) && isList(right)) return [...left, ...right]
  return right === '' || right === 0 ? left : right
}

function goTypeOf(value: Value): string {
  if (isList(value)) return '[]interface {}'
  if (isMap(value)) return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int' : 'float64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}
