import { isDeepStrictEqual } from 'node:util'
import { applyConflict } from './failure.ts'
import {
  defined,
  type Fields,
  fieldsAt,
  isFields,
  type KubeObject,
  type ManagedFields,
  timestamp,
} from './objects.ts'
import { apiVersionOf, type Target } from './resources.ts'

/** In whose name fields are written, and how. */
export interface Claim {
  manager: string
  operation: 'Apply' | 'Update'
  target: Target
}

/** The leaves of an object by their paths. A path is the JSON of its keys as in fieldsV1. */
type Leaves = Map<string, unknown>

/** What an apply makes of the live object: the fields that can be applied, and who owns them. */
interface Applied {
  fields: Fields
  managedFields: ManagedFields[]
}

/** Applies a configuration. Fails with a conflict where another owns a field that it changes. */
export function applied(live: KubeObject, body: Fields, claim: ForcedClaim): Applied {
  const wanted = leavesOf(body, claim)
  const current = leavesOf(live, claim)
  const { managedFields: entries = [] } = live.metadata
  const mine = entries.find((entry) => isOf(entry, claim))
  const others = entries.filter((entry) => entry !== mine)

  const shared = new Set([...wanted.keys(), ...others.flatMap(pathsOf)])
  for (const path of mine ? pathsOf(mine) : []) if (!shared.has(path)) current.delete(path)
  for (const [path, value] of wanted) if (isFilled(path, value, current)) wanted.delete(path)

  const isDisputed = (path: string) =>
    wanted.has(path) && !isDeepStrictEqual(wanted.get(path), current.get(path))
  const disputes = others.flatMap((entry) =>
    pathsOf(entry)
      .filter(isDisputed)
      .map((path) => ({ path, owner: ownerOf(entry), field: shown(path) })),
  )
  if (!claim.force && disputes.length > 0) throw applyConflict(disputes)

  const taken = new Set(disputes.map(({ path }) => path))
  for (const [path, value] of wanted) place(current, path, value)
  const managedFields = reowned(entries, taken, { claim, paths: [...wanted.keys()] })
  return { fields: fieldsFrom(current), managedFields }
}

export interface ForcedClaim extends Claim {
  force: boolean
}

/** Who owns what after an update: the writer what it changed, the others what they had besides. */
export function afterUpdate(
  before: KubeObject | undefined,
  after: Fields,
  claim: Claim,
): ManagedFields[] {
  const old = leavesOf(before ?? {}, claim)
  const now = leavesOf(after, claim)
  const changed = [...now.keys()].filter((path) => !isDeepStrictEqual(now.get(path), old.get(path)))
  const gone = new Set([...changed, ...[...old.keys()].filter((path) => !now.has(path))])
  const entries = before?.metadata.managedFields ?? []
  const mine = entries.find((entry) => isOf(entry, claim))
  const kept = mine ? pathsOf(mine).filter((path) => !gone.has(path)) : []
  return reowned(entries, gone, { claim, paths: [...kept, ...changed] })
}

const isOf = (entry: ManagedFields, { manager, operation, target }: Claim): boolean =>
  entry.manager === manager &&
  entry.operation === operation &&
  entry.subresource === target.subresource

/** The entries with what one claims now, and without what the others lost, in the same order. */
function reowned(
  entries: ManagedFields[],
  lost: ReadonlySet<string>,
  { claim, paths }: { claim: Claim; paths: string[] },
): ManagedFields[] {
  const { manager, operation, target } = claim
  const fresh: ManagedFields = {
    ...{ manager, operation, apiVersion: apiVersionOf(target.resource) },
    ...(target.subresource && { subresource: target.subresource }),
    ...{ time: timestamp(), fieldsType: 'FieldsV1', fieldsV1: {} },
  }
  const isThere = entries.some((entry) => isOf(entry, claim))
  return [...entries, ...(isThere ? [] : [fresh])].flatMap((entry) => {
    const owned = isOf(entry, claim) ? paths : pathsOf(entry).filter((path) => !lost.has(path))
    const fieldsV1 = grown(owned.map((path) => [path, {}]))
    if (isDeepStrictEqual(fieldsV1, entry.fieldsV1) && entry !== fresh) return [entry]
    return owned.length === 0 ? [] : [{ ...entry, fieldsV1, time: timestamp() }]
  })
}

const ownerOf = ({ manager, operation, apiVersion }: ManagedFields): string =>
  operation === 'Apply' ? `"${manager}"` : `"${manager}" using ${apiVersion}`

const shown = (path: string): string => {
  const keys: string[] = JSON.parse(path)
  return keys
    .map((one) => (one.startsWith('f:') ? `.${one.slice(2)}` : `[${one.slice(2)}]`))
    .join('')
}

const pathsOf = ({ fieldsV1 }: ManagedFields): string[] => [...leaves(fieldsV1).keys()]

const leavesOf = (object: Fields, claim: Claim): Leaves => leaves(toTree(claimable(object, claim)))

/** The fields that can have an owner by this way of writing. */
function claimable(object: Fields, { target }: Claim): Fields {
  const { apiVersion: _, kind: __, metadata: ___, status, ...rest } = object
  if (target.subresource === 'status') return defined({ status })
  const { labels, annotations, finalizers, ownerReferences } = fieldsAt(object, 'metadata')
  const metadata = defined({ labels, annotations, finalizers, ownerReferences })
  const hasMetadata = Object.keys(metadata).length > 0
  return defined({
    ...(hasMetadata && { metadata }),
    ...rest,
    ...(!target.resource.hasStatus && { status }),
  })
}

/** The lists whose items have owners of their own; every other list is one leaf. */
const KEYED: Record<string, (item: unknown) => string> = {
  'metadata.finalizers': (item) => `v:${JSON.stringify(item)}`,
  'metadata.ownerReferences': (item) => keyOf(item, 'uid'),
  'status.conditions': (item) => keyOf(item, 'type'),
}

const keyOf = (item: unknown, name: string): string =>
  `k:${JSON.stringify({ [name]: isFields(item) ? item[name] : null })}`

/** The object with its keys as in fieldsV1, and keyed lists as objects. */
function toTree(value: unknown, path = ''): unknown {
  const keyed = KEYED[path]
  if (keyed && Array.isArray(value) && value.length > 0) {
    return Object.fromEntries(value.map((item) => [keyed(item), toTree(item, `${path}[]`)]))
  }
  if (!isFields(value)) return value
  const below = (name: string) => (path === '' ? name : `${path}.${name}`)
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [`f:${name}`, toTree(one, below(name))]),
  )
}

function fromTree(tree: unknown): unknown {
  if (!isFields(tree)) return tree
  const entries = Object.entries(tree)
  const isList = entries.length > 0 && entries.every(([name]) => !name.startsWith('f:'))
  return isList
    ? entries.map(([, item]) => fromTree(item))
    : Object.fromEntries(entries.map(([name, one]) => [name.slice(2), fromTree(one)]))
}

const fieldsFrom = (current: Leaves): Fields => {
  const fields = fromTree(grown([...current]))
  return isFields(fields) ? fields : {}
}

function leaves(tree: unknown, path: string[] = []): Leaves {
  if (!isFields(tree) || Object.keys(tree).length === 0) {
    return new Map(path.length === 0 ? [] : [[JSON.stringify(path), tree]])
  }
  return new Map(Object.entries(tree).flatMap(([name, one]) => [...leaves(one, [...path, name])]))
}

/** The tree that has these leaves. */
function grown(list: [path: string, leaf: unknown][]): Fields {
  const root: Fields = {}
  for (const [path, leaf] of list) {
    const names: string[] = JSON.parse(path)
    let node = root
    for (const name of names.slice(0, -1)) {
      const next = fieldsAt(node, name)
      node[name] = next
      node = next
    }
    node[names.at(-1) ?? ''] = leaf
  }
  return root
}

const isBelow = (one: string, other: string): boolean => one.startsWith(`${other.slice(0, -1)},`)

/** Whether an empty object is asked for where there is one already, with something in it. */
const isFilled = (path: string, value: unknown, current: Leaves): boolean =>
  isFields(value) && [...current.keys()].some((one) => isBelow(one, path))

/** Sets a leaf, in place of what was there in another shape. */
function place(current: Leaves, path: string, value: unknown): void {
  for (const one of current.keys()) {
    if (isBelow(one, path) || isBelow(path, one)) current.delete(one)
  }
  current.set(path, value)
}
