import type { Value, ValueMap } from '#machineconfig/document.ts'
import { isMap } from '#machineconfig/write/zero-value.ts'
import { MergeProblem } from './merge-problem.ts'
import type { Sides } from './sides.ts'

/** One item of a list with another, at an index. */
export type MergeItem = (index: number, sides: Sides) => Value

interface Lists {
  readonly left: readonly Value[]
  readonly right: readonly Value[]
}

/** A list of a type that has a rule of its own; undefined if it has none. */
export function mergeNamedList(name: string, lists: Lists, merge: MergeItem): Value[] | undefined {
  if (name === 'security.ImageVerificationRules') return replaceRules(lists)
  const isSame = RULES.get(name)
  return isSame && mergeKnown(lists, isSame, merge)
}

type IsSame = (left: ValueMap, right: ValueMap) => boolean

const same =
  (key: string): IsSame =>
  (left, right) =>
    left[key] === right[key]

// `physical` is behind a pointer, and Go compares where such point to: two are never the same.
const isSameSelector = (left: Value | undefined, right: Value | undefined): boolean =>
  isMap(left) &&
  isMap(right) &&
  left.physical === undefined &&
  Object.keys(left).length === Object.keys(right).length &&
  Object.keys(left).every((key) => left[key] === right[key])

const isSameDevice: IsSame = (left, right) =>
  right.interface === undefined
    ? isSameSelector(left.deviceSelector, right.deviceSelector)
    : left.interface === right.interface

const RULES: ReadonlyMap<string, IsSame> = new Map([
  ['v1alpha1.NetworkDeviceList', isSameDevice],
  ['v1alpha1.VlanList', same('vlanId')],
  ['v1alpha1.AdmissionPluginConfigList', same('name')],
  ['extensions.ConfigFileList', same('mountPath')],
])

/** Items that are known are merged, others come at the end, where the next may find them. */
function mergeKnown({ left, right }: Lists, isSame: IsSame, merge: MergeItem): Value[] {
  const items = [...left]
  for (const item of right) {
    const index = items.findIndex((known) => isSame(objectOf(known), objectOf(item)))
    if (index === -1) items.push(item)
    else items[index] = merge(index, { left: items[index], right: item })
  }
  return items
}

function objectOf(item: Value): ValueMap {
  if (isMap(item)) return item
  // talosctl crashes on it.
  throw new MergeProblem('an item of the list is null')
}

function replaceRules({ left, right }: Lists): Value[] {
  const items = [...left]
  for (const rule of right) {
    const { image } = objectOf(rule)
    const index = left.findLastIndex((known) => objectOf(known).image === image)
    if (index === -1) items.push(rule)
    else items[index] = rule
  }
  return items
}
