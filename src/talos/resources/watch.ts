import type { Caller, CallOptions } from '#talos/caller.ts'
import { EventType, State, type Event as WireEvent } from '#talos/generated/cosi/resource_pb.ts'
import { MachineError, saidBy } from '#talos/outcome.ts'
import { status } from '#talos/status.ts'
import { headOf, type Resource, type ResourceHead, readResource } from './resource.ts'
import type { ResourceKind } from './resource-kind.ts'

/** Where a watch is resumed. */
type Bookmark = Uint8Array

export type ResourceEvent<Spec> = { bookmark: Bookmark | undefined } & (
  | { kind: 'created' | 'updated'; resource: Resource<Spec> }
  | { kind: 'destroyed'; resource: ResourceHead }
  /** All that there was has been told. */
  | { kind: 'bootstrapped' }
  /** Nothing happened up to here. */
  | { kind: 'unchanged' }
)

/** One resource: its state, then each change. All of a kind: each change, after what there is if `contents`. */
export type WatchFrom =
  | { id: string; bookmark?: Bookmark }
  | { contents?: boolean; bookmark?: Bookmark }

interface Watched<Spec> {
  kind: ResourceKind<Spec>
  from: WatchFrom
  options: CallOptions | undefined
}

// From 1 on a machine first says that it watches, and tells when all is told.
const API_VERSION = 1

/** Whether a watch was refused because its bookmark is too old: begin anew. */
export const isBookmarkTooOld = (error: unknown): boolean =>
  error instanceof MachineError && error.status === status.FAILED_PRECONDITION

/** The events, as they come. */
export async function* watchResources<Spec>(
  caller: Caller,
  { kind, from, options }: Watched<Spec>,
): AsyncGenerator<ResourceEvent<Spec>, void, undefined> {
  const { namespace, type } = kind
  const call = { method: State.method.watch, what: `watch ${type} of`, pace: 'follow' } as const
  const answers = caller.follow(
    { ...call, options },
    {
      namespace,
      type,
      apiVersion: API_VERSION,
      ...('id' in from && { id: from.id }),
      options: {
        bootstrapContents: 'contents' in from && from.contents === true,
        ...(from.bookmark && { startFromBookmark: from.bookmark }),
      },
    },
  )
  // The first answer has no events: it says that the machine watches.
  for await (const { event } of answers) {
    for (const one of event) yield eventOf(kind, one, caller.where)
  }
}

function eventOf<Spec>(
  kind: ResourceKind<Spec>,
  { eventType, resource, bookmark, error }: WireEvent,
  where: string,
): ResourceEvent<Spec> {
  switch (eventType) {
    case EventType.CREATED:
    case EventType.UPDATED: {
      if (!resource) throw ended(kind, where, 'it sent a change of nothing')
      const change = eventType === EventType.CREATED ? 'created' : 'updated'
      return { kind: change, resource: readResource(kind, resource, where), bookmark }
    }
    case EventType.DESTROYED:
      return { kind: 'destroyed', resource: headOf(resource?.metadata), bookmark }
    case EventType.BOOTSTRAPPED:
      return { kind: 'bootstrapped', bookmark }
    case EventType.ERRORED:
      throw ended(kind, where, saidBy(error ?? ''))
    default:
      return { kind: 'unchanged', bookmark }
  }
}

const ended = (kind: ResourceKind<unknown>, where: string, why: string): MachineError =>
  new MachineError({
    message: `the watch of ${kind.type} of ${where} ended: ${why}`,
    outcome: 'lost',
  })
