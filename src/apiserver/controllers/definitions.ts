import { establishedStatus, takenBy } from '#apiserver/crd/establish.ts'
import { CLEANUP } from '#apiserver/custom-kinds.ts'
import { type Fields, fieldsAt, listAt, textAt, timestampOf } from '#apiserver/objects.ts'
import { DEFINITIONS } from '#apiserver/served-kinds.ts'
import { collectionOf, objectIn } from '#apiserver/stored-object.ts'
import { Chores } from './chores.ts'
import {
  builtin,
  edit,
  type Housekeeper,
  type Place,
  placeOf,
  read,
  removeIfThere,
  type Seen,
  type World,
} from './world.ts'

const AT_ONCE = 50

/** Establishes CRDs, and takes the objects of their kinds away before they go. */
export function definitions(world: World): Housekeeper {
  const chores = new Chores({
    clock: world.clock,
    run: (key) => tend(world, key),
    onError: (error, key) => world.log.warn('definition not tended', { key, error: String(error) }),
  })
  /** CRDs that go, by where their objects are. */
  const ending = new Map<string, string>()
  const seeDefinition = ({ type, key, value }: Seen) => {
    const definition = objectIn({ value })
    const collection = collectionIn(definition)
    const isEnding = type === 'put' && fieldsAt(definition, 'metadata').deletionTimestamp
    if (isEnding) ending.set(collection, key)
    else ending.delete(collection)
    chores.add(key)
    if (type === 'put') return
    // A name that is free again may be what another CRD waits for.
    for (const other of world.store.list(DEFINITIONS)) chores.add(other.key)
  }
  return {
    see: (seen) => {
      if (seen.key.startsWith(DEFINITIONS)) return seeDefinition(seen)
      if (seen.type === 'put' || ending.size === 0) return
      const owner = ending.get(/^[^/]*\/[^/]*\//.exec(seen.key)?.[0] ?? '')
      if (owner) chores.add(owner)
    },
    stop: () => chores.stop(),
  }
}

function collectionIn(definition: Fields): string {
  const { group, names } = fieldsAt(definition, 'spec')
  return `${group}/${Object(names).plural}/`
}

async function tend(world: World, key: string): Promise<void> {
  const resource = builtin(world, 'apiextensions.k8s.io', 'customresourcedefinitions')
  const place = { resource, namespace: '', name: key.slice(DEFINITIONS.length) }
  const definition = read(world, place)
  if (!definition) return
  const metadata = fieldsAt(definition, 'metadata')
  if (!metadata.deletionTimestamp) return establish(world, place, definition)
  if (listAt(metadata, 'finalizers').includes(CLEANUP)) await cleanUp(world, place, definition)
}

async function establish(world: World, place: Place, definition: Fields): Promise<void> {
  const group = textAt(fieldsAt(definition, 'spec'), 'group') ?? ''
  const others = world.store
    .list(DEFINITIONS)
    .filter(({ key }) => key !== `${DEFINITIONS}${place.name}`)
    .map(objectIn)
  const status = establishedStatus(
    definition,
    takenBy(others, group),
    timestampOf(world.clock.now()),
  )
  if (status)
    await edit(world, { ...place, subresource: 'status', owner: 'kube-apiserver' }, (copy) => ({
      ...copy,
      status,
    }))
}

async function cleanUp(world: World, place: Place, definition: Fields): Promise<void> {
  const collection = collectionIn(definition)
  const resource = world.kinds.all.find(
    (one) => collectionOf(one) === collection && one.version === one.stored.version,
  )
  if (resource) {
    const left = world.store.list(collection).map((entry) => placeOf(resource, objectIn(entry)))
    for (let from = 0; from < left.length; from += AT_ONCE) {
      const some = left.slice(from, from + AT_ONCE)
      await Promise.all(some.map((one) => removeIfThere(world, one)))
    }
  }
  // What has finalizers stays, and its removal brings us back here.
  if (world.store.list(collection).length > 0) return
  await edit(world, place, (copy) => {
    const metadata = fieldsAt(copy, 'metadata')
    const finalizers = listAt(metadata, 'finalizers').filter((one) => one !== CLEANUP)
    return { ...copy, metadata: { ...metadata, finalizers } }
  })
}
