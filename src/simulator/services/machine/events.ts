import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { EmptySchema } from '@bufbuild/protobuf/wkt'
import type { MachineEvent } from '#simulator/machine/event-log.ts'
import { Refusal } from '#simulator/refusal.ts'
import type { Call } from '#simulator/services/call.ts'
import { createQueue } from '#simulator/services/queue.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import type { EventSchema, EventsRequest } from '#talos/generated/machine/events_pb.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { anyOf, payloadOf } from './event-payload.ts'

type Shown = MessageInitShape<typeof EventSchema>

/** What happens on a machine, and what has happened. */
export const events: Answers<typeof MachineService> = {
  events: async function* (request, call) {
    // Says that the stream has begun; talosctl waits for it.
    yield { data: anyOf(EmptySchema, create(EmptySchema)), actorId: request.withActorId }
    yield* told(request, call)
  },
}

async function* told(
  request: EventsRequest,
  { machine, clock, signal }: Call,
): AsyncIterable<Shown> {
  const queue = createQueue<MachineEvent>()
  const cancel = machine.events.onEvent(queue.push)
  try {
    const isWanted = ({ actorId }: MachineEvent) =>
      request.withActorId === '' || actorId === request.withActorId
    yield* past(request, machine.events.kept, clock.now()).filter(isWanted).map(shown)
    for await (const some of queue.read(signal)) yield* some.filter(isWanted).map(shown)
  } finally {
    cancel()
  }
}

const XID = /^[0-9a-v]{20}$/

function past(
  { tailEvents, tailId, tailSeconds }: EventsRequest,
  kept: readonly MachineEvent[],
  now: Date,
): readonly MachineEvent[] {
  if (tailId !== '' && !XID.test(tailId)) {
    throw new Refusal('Unknown', 'error parsing tail_id: xid: invalid ID')
  }
  if (tailId !== '') return kept.filter(({ id }) => id > tailId)
  if (tailSeconds !== 0) {
    const since = now.getTime() - tailSeconds * 1000
    return kept.filter(({ atMs }) => atMs >= since)
  }
  if (tailEvents === 0) return []
  return tailEvents < 0 ? kept : kept.slice(-tailEvents)
}

const shown = (event: MachineEvent): Shown => ({
  id: event.id,
  actorId: event.actorId,
  data: payloadOf(event.payload),
})
