import type { MessageInitShape } from '@bufbuild/protobuf'
import { Refusal } from '#simulator/refusal.ts'
import type { ResourceChange } from '#simulator/resources/resource-store.ts'
import type { Call } from '#simulator/services/call.ts'
import { createQueue } from '#simulator/services/queue.ts'
import {
  type EventSchema,
  EventType,
  type WatchRequest,
} from '#talos/generated/cosi/resource_pb.ts'
import { bookmarkBytes } from './bookmark.ts'
import { encodeAbsent, encodeResource } from './encode-resource.ts'
import { type Matches, queryOf } from './resource-query.ts'
import { shownResources } from './shown-resources.ts'
import { encodeChange } from './watch-change.ts'
import { missedChanges } from './watch-past.ts'

type Shown = MessageInitShape<typeof EventSchema>

/** Tells what is there, if it is asked to, and then every change. */
export async function* watch(request: WatchRequest, call: Call) {
  const { machine, signal } = call
  const wants = wantedBy(request)
  const queue = createQueue<ResourceChange>()
  const cancel = machine.resources.onChange((change) => {
    const { namespace, type } = change.resource
    if (namespace === request.namespace && type === request.type) queue.push(change)
  })
  const shown = (changes: readonly ResourceChange[]) =>
    changes.flatMap((change) => encodeChange(change, wants, machine))
  try {
    const missed = missedChanges(request, call)
    const first = missed ? shown(missed) : known(request, call, wants)
    // Says that the watch has begun.
    yield {}
    yield* batches([...first, ...initialBookmark(request, call)], request)
    for await (const changes of queue.read(signal)) yield* batches(shown(changes), request)
  } finally {
    cancel()
  }
}

function wantedBy({ id, options }: WatchRequest): Matches {
  if (id === undefined) return queryOf(options?.labelQuery ?? [], options?.idQuery)
  const refused = options?.bootstrapContents
    ? 'bootstrap contents'
    : options?.labelQuery.length && 'label query'
  if (refused) {
    throw new Refusal('Unimplemented', `${refused} is not implemented for resource watch`)
  }
  return (resource) => resource.id === id
}

/** What is there when the watch begins: of one resource always, of all if it is wanted. */
function known(request: WatchRequest, { machine }: Call, wants: Matches): readonly Shown[] {
  const { namespace, type, id, options, apiVersion } = request
  const resources = shownResources(namespace, type, machine)
  const created = resources
    .filter(wants)
    .map((one) => ({ eventType: EventType.CREATED, resource: encodeResource(one, machine) }))
  if (id !== undefined) {
    const absent = { eventType: EventType.DESTROYED, resource: encodeAbsent(namespace, type, id) }
    return created.length > 0 ? created : [absent]
  }
  if (!options?.bootstrapContents) return []
  return apiVersion < 1 ? created : [...created, marker(EventType.BOOTSTRAPPED, request, machine)]
}

const initialBookmark = (request: WatchRequest, { machine }: Call): readonly Shown[] =>
  request.id === undefined && request.options?.bootstrapBookmark
    ? [marker(EventType.NOOP, request, machine)]
    : []

/** Says where a watch can go on from; there is no resource to it. */
const marker = (
  eventType: EventType,
  { namespace, type }: WatchRequest,
  { resources }: Call['machine'],
): Shown => ({
  eventType,
  resource: encodeAbsent(namespace, type, ''),
  bookmark: bookmarkBytes(resources.bookmark),
})

/** One message for many events, or one for each. */
function batches(events: readonly Shown[], { options, id }: WatchRequest) {
  if (events.length === 0) return []
  const isAggregated = options?.aggregated === true && id === undefined
  return isAggregated ? [{ event: [...events] }] : events.map((event) => ({ event: [event] }))
}
