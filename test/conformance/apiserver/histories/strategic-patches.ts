import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Chance } from './chance.ts'
import { FEW_ODDS, oddly } from './parts.ts'

/** The fields as a strategic merge patch, with nulls and directives in it. */
export const strategicOf = (fields: unknown, chance: Chance): unknown =>
  directed(oddly(fields, { ...FEW_ODDS, nulls: 0.08 }, chance), chance, true)

function directed(value: unknown, chance: Chance, isRoot = false): unknown {
  if (Array.isArray(value)) return listOf(value, chance)
  if (!isFields(value)) return value
  const fields: Fields = {}
  for (const [name, field] of Object.entries(value)) {
    if (Array.isArray(field)) Object.assign(fields, listField(name, field, chance))
    else fields[name] = directed(field, chance)
  }
  if (isRoot) return fields
  if (chance.is(0.02)) return { ...fields, $patch: chance.of(['replace', 'merge']) }
  // Among texts it would be one of them, which is none.
  const retains = chance.is(0.04) && Object.values(fields).some(isFields)
  return retains ? { ...fields, $retainKeys: Object.keys(fields) } : fields
}

/** A list, or what is to go from it, and perhaps the order that it is to have. */
function listField(name: string, list: unknown[], chance: Chance): Fields {
  const isRemoved = chance.is(0.08) && list.every((item) => !isFields(item))
  // kube-apiserver hangs up when the items of a list have no keys by which it is merged.
  const order = chance.is(0.06) ? orderOf(list) : undefined
  return {
    ...(isRemoved
      ? { [`$deleteFromPrimitiveList/${name}`]: list }
      : { [name]: directed(list, chance) }),
    ...(order && { [`$setElementOrder/${name}`]: order }),
  }
}

const listOf = (list: unknown[], chance: Chance): unknown[] => {
  const items = list.map((item) => {
    const changed = directed(item, chance, true)
    return isFields(changed) && chance.is(0.08) ? { ...changed, $patch: 'delete' } : changed
  })
  return isFields(list[0]) && chance.is(0.04) ? [...items, { $patch: 'replace' }] : items
}

/** The keys of the items in another order, if they all have one. */
function orderOf(list: unknown[]): unknown[] | undefined {
  const keys = list.map(keyOf)
  return keys.includes(undefined) ? undefined : keys.toReversed()
}

const KEYS = ['name', 'containerPort', 'port', 'ip', 'type', 'uid']

function keyOf(item: unknown): unknown {
  if (!isFields(item)) return item
  const key = KEYS.find((one) => item[one] !== undefined && item[one] !== null)
  return key === undefined ? undefined : { [key]: item[key] }
}
