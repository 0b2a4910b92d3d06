import { ApiFailure } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { paceOf } from '#apiserver/pace.ts'
import type { Selection } from '#apiserver/read/selection.ts'
import { inTurns } from '#apiserver/steps.ts'
import { prefixOf, servedInSteps } from '#apiserver/stored-object.ts'
import type { Ask, Writes } from './ask.ts'
import { remove } from './remove.ts'
import type { RemoveOptions } from './remove-options.ts'

const AT_ONCE = 50

/** Deletes every object that is selected; returns them as they were. What goes meanwhile is no failure. */
export async function removeAll(
  writes: Writes,
  ask: Ask,
  options: RemoveOptions & { selection: Selection; limit: number | undefined },
): Promise<Fields[]> {
  const { resource, namespace } = ask
  const { matches } = options.selection
  const pace = paceOf(writes.clock)
  const objects: Fields[] = []
  for (const entry of writes.store.list(prefixOf(resource, namespace))) {
    if (objects.length === options.limit) break
    const object = await inTurns(pace, servedInSteps(resource, entry))
    if (!matches || matches(object)) objects.push(object)
  }
  for (let from = 0; from < objects.length; from += AT_ONCE) {
    const some = objects.slice(from, from + AT_ONCE)
    await Promise.all(some.map((object) => removeOne(writes, askFor(ask, object), options)))
  }
  return objects
}

function askFor(ask: Ask, object: Fields): Ask {
  const metadata = fieldsAt(object, 'metadata')
  const [name = '', namespace = ''] = [textAt(metadata, 'name'), textAt(metadata, 'namespace')]
  return { ...ask, name, namespace }
}

async function removeOne(writes: Writes, ask: Ask, options: RemoveOptions): Promise<void> {
  try {
    await remove(writes, ask, options)
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.reason !== 'NotFound') throw error
  }
}
