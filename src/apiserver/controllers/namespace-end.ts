import { qualified } from '#apiserver/failure.ts'
import { fieldsAt, isFields, listAt, timestampOf } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'
import { objectIn, prefixOf } from '#apiserver/stored-object.ts'
import { Chores } from './chores.ts'
import { remainingConditions } from './namespace-conditions.ts'
import {
  builtin,
  edit,
  type Housekeeper,
  type Place,
  read,
  removeIfThere,
  type World,
} from './world.ts'

const NAMESPACES = '/namespaces/'
const AT_ONCE = 50

/** Empties namespaces that are deleted, and lets them go when nothing is left in them. */
export function namespaceEnd(world: World): Housekeeper {
  const ending = new Set<string>()
  const chores = new Chores({
    clock: world.clock,
    run: (name) => empty(world, name),
    onError: (error, name) =>
      world.log.warn('namespace not emptied', { namespace: name, error: String(error) }),
  })
  return {
    see: ({ type, key, value }) => {
      if (!key.startsWith(NAMESPACES)) {
        const namespace = namespaceIn(key)
        if (type === 'remove' && ending.has(namespace)) chores.add(namespace)
        return
      }
      const name = key.slice(NAMESPACES.length)
      if (type === 'remove') ending.delete(name)
      else if (fieldsAt(objectIn({ value }), 'metadata').deletionTimestamp) {
        ending.add(name)
        chores.add(name)
      }
    },
    stop: () => chores.stop(),
  }
}

const namespaceIn = (key: string): string => key.split('/')[2] ?? ''

async function empty(world: World, namespace: string): Promise<void> {
  const place = { resource: builtin(world, '', 'namespaces'), namespace: '', name: namespace }
  const object = read(world, place)
  if (!object || !fieldsAt(object, 'metadata').deletionTimestamp) return
  const left = contentsOf(world, namespace)
  for (let from = 0; from < left.length; from += AT_ONCE) {
    const some = left.slice(from, from + AT_ONCE)
    await Promise.all(some.map((one) => removeIfThere(world, one)))
  }
  const remaining = contentsOf(world, namespace)
  // What has finalizers stays, and its removal brings us back here.
  if (remaining.length > 0) return tellOf(world, place, remaining)
  await edit(world, { ...place, subresource: 'finalize' }, (copy) => {
    const { finalizers: _, ...spec } = fieldsAt(copy, 'spec')
    return { ...copy, spec }
  })
}

/** Says in the namespace's status what holds it. */
function tellOf(world: World, place: Place, remaining: readonly Place[]): Promise<void> {
  const objects = remaining.map((one) => read(world, one)).filter(isFields)
  const conditions = remainingConditions(
    remaining.map(({ resource }) => qualified({ group: resource.group, kind: resource.plural })),
    objects.flatMap((one) => listAt(fieldsAt(one, 'metadata'), 'finalizers').map(String)),
  )
  const now = timestampOf(world.clock.now())
  return edit(world, { ...place, subresource: 'status' }, (copy) => {
    const status = fieldsAt(copy, 'status')
    const before = listAt(status, 'conditions').filter(isFields)
    const next = conditions.map((one) => {
      const known = before.find(({ type, status: is }) => type === one.type && is === one.status)
      return { ...one, lastTransitionTime: known?.lastTransitionTime ?? now }
    })
    return { ...copy, status: { ...status, conditions: next } }
  })
}

function contentsOf(world: World, namespace: string): Place[] {
  const { store } = world
  return collections(world.kinds.all).flatMap((resource) =>
    store
      .list(prefixOf(resource, namespace))
      .map(({ key }) => ({ resource, namespace, name: key.slice(key.lastIndexOf('/') + 1) })),
  )
}

/** One resource for each place where objects in namespaces are kept: that of the stored version. */
function collections(all: readonly Resource[]): Resource[] {
  return all.filter(
    ({ namespaced, group, plural, version, stored }) =>
      namespaced &&
      stored.group === group &&
      stored.plural === plural &&
      stored.version === version,
  )
}
