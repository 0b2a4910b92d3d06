import { establishedStatus, takenBy } from '#apiserver/crd/establish.ts'
import { CLEANUP } from '#apiserver/custom-kinds.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt, timestampOf } from '#apiserver/objects.ts'
import { DEFINITIONS } from '#apiserver/served-kinds.ts'
import { collectionOf, metadataIn, objectIn } from '#apiserver/stored-object.ts'
import { Chores } from './chores.ts'
import {
  builtin,
  edit,
  type Housekeeper,
  type Place,
  placeOf,
  removeEach,
  type Seen,
  type World,
} from './world.ts'

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
    const collection = collectionIn(key)
    const isEnding = type === 'put' && metadataIn({ value }).deletionTimestamp
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

/** A CRD is named by the plural of its kind and by its group. */
function collectionIn(key: string): string {
  const [plural = '', ...group] = key.slice(DEFINITIONS.length).split('.')
  return `${group.join('.')}/${plural}/`
}

async function tend(world: World, key: string): Promise<void> {
  const resource = builtin(world, 'apiextensions.k8s.io', 'customresourcedefinitions')
  const place = { resource, namespace: '', name: key.slice(DEFINITIONS.length) }
  const { own: definition } = world.kinds.definition(key)
  if (!definition) return
  const metadata = fieldsAt(definition, 'metadata')
  if (!metadata.deletionTimestamp) return establish(world, place, key)
  if (listAt(metadata, 'finalizers').includes(CLEANUP)) await cleanUp(world, place, key)
}

async function establish(world: World, place: Place, key: string): Promise<void> {
  const { others } = world.kinds.definition(key)
  await editStatus(world, place, (copy) => {
    const group = textAt(fieldsAt(copy, 'spec'), 'group') ?? ''
    return establishedStatus(copy, takenBy(others, group), timestampOf(world.clock.now()))
  })
}

/** Changes the status of a CRD, unless there is nothing to change. */
const editStatus = (
  world: World,
  place: Place,
  statusOf: (definition: Fields) => Fields | undefined,
): Promise<void> =>
  edit(world, { ...place, subresource: 'status', owner: 'kube-apiserver' }, (copy) => {
    const status = statusOf(copy)
    return status && { ...copy, status }
  })

async function cleanUp(world: World, place: Place, key: string): Promise<void> {
  if (!isOfBuiltin(world, key) && !(await isEmptied(world, place, key))) return
  await edit(world, place, (copy) => {
    const metadata = fieldsAt(copy, 'metadata')
    const finalizers = listAt(metadata, 'finalizers').filter((one) => one !== CLEANUP)
    return { ...copy, metadata: { ...metadata, finalizers } }
  })
}

/** A CRD may name what is built in. It then defines nothing, and nothing goes with it. */
function isOfBuiltin({ kinds }: World, key: string): boolean {
  const [group = '', plural = ''] = collectionIn(key).split('/')
  return kinds.isBuiltin(group, plural)
}

/** Takes away the objects of a CRD's kind. What has finalizers stays, and its removal brings us back here. */
async function isEmptied(world: World, place: Place, key: string): Promise<boolean> {
  const { store, kinds, clock } = world
  // Writes are seen in the order in which they are begun: when this one is, so is every object that
  // was let in before the CRD was seen to go.
  await editStatus(world, place, (copy) => terminating(copy, timestampOf(clock.now())))
  const collection = collectionIn(key)
  const resource = kinds.all.find(
    (one) => collectionOf(one) === collection && one.version === one.stored.version,
  )
  const entries = resource ? store.list(collection) : []
  await removeEach(
    world,
    entries.flatMap((entry) => (resource ? [placeOf(resource, objectIn(entry))] : [])),
  )
  return store.list(collection).length === 0
}

/** The status that says that objects go; undefined if it says so. */
function terminating(definition: Fields, now: string): Fields | undefined {
  const status = fieldsAt(definition, 'status')
  const conditions = listAt(status, 'conditions').filter(isFields)
  const reason = 'InstanceDeletionInProgress'
  const known = conditions.find(({ type }) => type === 'Terminating')
  if (known?.reason === reason) return undefined
  const condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: known?.lastTransitionTime ?? now,
    reason,
    message: 'CustomResource deletion is in progress',
  }
  return {
    ...status,
    conditions: [...conditions.filter((one) => one !== known), condition],
  }
}
