import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Machine } from '#simulator/machine/machine.ts'
import type { ResourceChange } from '#simulator/resources/resource-store.ts'
import { type EventSchema, EventType } from '#talos/generated/cosi/resource_pb.ts'
import { bookmarkBytes } from './bookmark.ts'
import { encodeResource, encodeTombstone } from './encode-resource.ts'
import type { Matches } from './resource-query.ts'

type Shown = MessageInitShape<typeof EventSchema>

/**
 * A change as who asked for some of the resources sees it: one that no longer matches is gone for him,
 * one that matches now is new. None if it is none for him.
 */
export function encodeChange(
  { type, resource, old, bookmark }: ResourceChange,
  wants: Matches,
  machine: Machine,
): readonly Shown[] {
  const at = { bookmark: bookmarkBytes(bookmark) }
  const before = type === 'updated' && old !== undefined && wants(old)
  const after = wants(resource)
  if (type === 'destroyed') {
    return after
      ? [{ ...at, eventType: EventType.DESTROYED, resource: encodeTombstone(resource) }]
      : []
  }
  const encoded = encodeResource(resource, machine)
  if (before && after && old) {
    return [
      { ...at, eventType: EventType.UPDATED, resource: encoded, old: encodeResource(old, machine) },
    ]
  }
  if (after) return [{ ...at, eventType: EventType.CREATED, resource: encoded }]
  return before ? [{ ...at, eventType: EventType.DESTROYED, resource: encoded }] : []
}
