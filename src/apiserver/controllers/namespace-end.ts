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
  removeEach,
  type World,
} from './world.ts'

const NAMESPACES = '/namespaces/'
// Whatever else was said of an object's dependents: those in the namespace go as well.
const BACKGROUND = { propagation: 'Background' } as const

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
  await removeEach(world, podsOf(world, namespace), BACKGROUND)
  // As long as there are pods, what they rely on stays, such as network policies. Kubernetes says nothing of that.
  if (podsOf(world, namespace).length > 0) return tellOf(world, place, [])
  await removeEach(world, contentsOf(world, namespace), BACKGROUND)
  // Writes are seen in the order in which they are begun: when this one is, so is every object that
  // was let in before the namespace was seen to go.
  await tellOf(world, place, contentsOf(world, namespace))
  // What has finalizers stays, and its removal brings us back here.
  if (contentsOf(world, namespace).length > 0) return
  await edit(world, { ...place, subresource: 'finalize' }, (copy) => {
    const { finalizers: _, ...spec } = fieldsAt(copy, 'spec')
    return { ...copy, spec }
  })
}

/** Says in the namespace's status what is left in it. */
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

const podsOf = (world: World, namespace: string): Place[] =>
  placesIn(world, namespace, builtin(world, '', 'pods'))

const contentsOf = (world: World, namespace: string): Place[] =>
  collections(world.kinds.all).flatMap((resource) => placesIn(world, namespace, resource))

const placesIn = ({ store }: World, namespace: string, resource: Resource): Place[] =>
  store
    .list(prefixOf(resource, namespace))
    .map(({ key }) => ({ resource, namespace, name: key.slice(key.lastIndexOf('/') + 1) }))

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
