import { ApiFailure } from '#apiserver/failure.ts'
import { paceOf } from '#apiserver/pace.ts'
import type { Selection } from '#apiserver/read/selection.ts'
import { inTurns } from '#apiserver/steps.ts'
import type { Entry } from '#apiserver/store/store.ts'
import { collectionOf, prefixOf, servedInSteps } from '#apiserver/stored-object.ts'
import type { Ask, Writes } from './ask.ts'
import { remove } from './remove.ts'
import type { RemoveOptions } from './remove-options.ts'

/** Deletes every object that is selected; returns their entries as they were. What goes meanwhile is no failure. */
export async function removeAll(
  writes: Writes,
  ask: Ask,
  options: RemoveOptions & { selection: Selection; limit: number | undefined },
): Promise<Entry[]> {
  const selected = await selectedIn(writes, ask, options)
  // One after the other, as Kubernetes does: whoever watches sees them go in the order of their names.
  for (const { key } of selected) await removeOne(writes, askFor(ask, key), options)
  return selected
}

/** Their objects are let go of at once: all of them together may be more than there is memory for. */
async function selectedIn(
  { store, clock }: Writes,
  { resource, namespace }: Ask,
  { selection: { matches }, limit }: { selection: Selection; limit: number | undefined },
): Promise<Entry[]> {
  const entries = store.list(prefixOf(resource, namespace))
  if (!matches) return entries.slice(0, limit)
  const pace = paceOf(clock)
  const selected: Entry[] = []
  for (const entry of entries) {
    if (selected.length === limit) break
    if (matches(await inTurns(pace, servedInSteps(resource, entry)))) selected.push(entry)
  }
  return selected
}

function askFor(ask: Ask, key: string): Ask {
  const path = key.slice(collectionOf(ask.resource).length)
  const slash = path.indexOf('/')
  return { ...ask, namespace: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) }
}

async function removeOne(writes: Writes, ask: Ask, options: RemoveOptions): Promise<void> {
  try {
    await remove(writes, ask, options)
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.reason !== 'NotFound') throw error
  }
}
