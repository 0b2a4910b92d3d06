import { Refusal } from '#simulator/refusal.ts'
import type { ResourceChange } from '#simulator/resources/resource-store.ts'
import type { Call } from '#simulator/services/call.ts'
import type { WatchRequest } from '#talos/generated/cosi/resource_pb.ts'
import { bookmarkOf, invalidBookmark } from './bookmark.ts'

/** The changes that a watch begins with: since a bookmark, or the last ones; undefined if it asks for none. */
export function missedChanges(
  { namespace, type, id, options }: WatchRequest,
  { machine: { resources } }: Call,
): readonly ResourceChange[] | undefined {
  const { startFromBookmark, tailEvents = 0, bootstrapContents = false } = options ?? {}
  const hasBookmark = startFromBookmark !== undefined
  if (!hasBookmark && tailEvents <= 0) return undefined
  if (bootstrapContents) {
    throw new Refusal(
      'Unknown',
      'cannot use BootstrapContents with TailEvents and StartFromBookmark options',
    )
  }
  if (hasBookmark && tailEvents > 0) {
    throw new Refusal('Unknown', 'cannot use both TailEvents and StartFromBookmark options')
  }
  if (!hasBookmark) return lastChanges()
  const missed = resources.changesSince(bookmarkOf(startFromBookmark), namespace, type)
  if (!missed) throw invalidBookmark()
  return missed

  function lastChanges(): readonly ResourceChange[] {
    let found: readonly ResourceChange[] = []
    for (let at = resources.bookmark - 1; ; at--) {
      const more = resources.changesSince(at, namespace, type)
      if (!more) return found
      found = more.filter(({ resource }) => id === undefined || resource.id === id)
      if (found.length >= tailEvents) return found
    }
  }
}
