import { type Any, anyIs, anyUnpack } from '@bufbuild/protobuf/wkt'
import type { Caller, CallOptions } from '#talos/caller.ts'
import {
  AddressEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  MachineStatusEventSchema,
  PhaseEventSchema,
  RestartEventSchema,
  SequenceEventSchema,
  ServiceStateEventSchema,
  TaskEventSchema,
} from '#talos/generated/machine/events_pb.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { throwIfError } from './only-message.ts'

const PAYLOADS = [
  MachineStatusEventSchema,
  ServiceStateEventSchema,
  SequenceEventSchema,
  PhaseEventSchema,
  TaskEventSchema,
  AddressEventSchema,
  RestartEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
] as const

/** Something that happened on a machine. */
export interface MachineEvent {
  /** From which on events can be asked for. */
  id: string
  /** Who began it: what `reboot`, `reset` and their like resolved to. Empty: nobody in particular. */
  actorId: string
  /** Told apart by `$typeName`. Undefined: of a kind that we do not know. */
  payload: EventPayload | undefined
}

type EventPayload = NonNullable<ReturnType<typeof payloadOf>>

export interface EventsFrom {
  /** How many of the past; -1 for all that the machine remembers. */
  tail?: number
  /** Those after this one. */
  afterId?: string
  tailSeconds?: number
  /** Only those that this one began. */
  actorId?: string
}

/** What happens on a machine, as it happens. */
export const eventCalls = (caller: Caller) => ({
  /** Goes on until the machine or the caller ends it. */
  async *events(
    from: EventsFrom = {},
    options?: CallOptions,
  ): AsyncGenerator<MachineEvent, void, undefined> {
    const { tail = 0, afterId = '', tailSeconds = 0, actorId = '' } = from
    const method = MachineService.method.events
    const answers = caller.follow(
      { method, what: 'follow the events of', pace: 'follow', options },
      { tailEvents: tail, tailId: afterId, tailSeconds, withActorId: actorId },
    )
    for await (const event of answers) {
      throwIfError(caller.where, event)
      // The first message only says that the machine listens: it has no id, or nothing in it.
      const { id, actorId: begunBy, data } = event
      if (!id || !data?.typeUrl) continue
      yield { id, actorId: begunBy, payload: payloadOf(data) }
    }
  },
})

function payloadOf(any: Any) {
  for (const schema of PAYLOADS) {
    if (anyIs(any, schema)) return unpacked(any, schema)
  }
  return undefined
}

function unpacked(any: Any, schema: (typeof PAYLOADS)[number]) {
  try {
    return anyUnpack(any, schema)
  } catch {
    // One event that cannot be read is no reason to miss those after it.
    return undefined
  }
}
