import { create, type DescMessage, type MessageShape, toBinary } from '@bufbuild/protobuf'
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt'
import type { EventPayload } from '#simulator/machine/event-log.ts'
import { Code } from '#talos/generated/common/common_pb.ts'
import {
  AddressEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  MachineStatusEvent_MachineStage,
  MachineStatusEventSchema,
  PhaseEvent_Action,
  PhaseEventSchema,
  RestartEventSchema,
  SequenceEvent_Action,
  SequenceEventSchema,
  ServiceStateEvent_Action,
  ServiceStateEventSchema,
  TaskEvent_Action,
  TaskEventSchema,
} from '#talos/generated/machine/events_pb.ts'

type ConfigError = Extract<EventPayload, { error: string }>
type Payload<Type extends EventPayload['type']> = Extract<EventPayload, { type: Type }>

/** What happened, as the stream of events carries it. */
export function payloadOf(payload: EventPayload): Any {
  switch (payload.type) {
    case 'SequenceEvent':
      return sequence(payload)
    case 'PhaseEvent':
      return anyOf(
        PhaseEventSchema,
        create(PhaseEventSchema, { ...payload, action: PhaseEvent_Action[payload.action] }),
      )
    case 'TaskEvent':
      return anyOf(
        TaskEventSchema,
        create(TaskEventSchema, { ...payload, action: TaskEvent_Action[payload.action] }),
      )
    case 'ServiceStateEvent':
      return service(payload)
    case 'RestartEvent':
      return anyOf(RestartEventSchema, create(RestartEventSchema, { cmd: BigInt(payload.cmd) }))
    case 'AddressEvent':
      return anyOf(
        AddressEventSchema,
        create(AddressEventSchema, { ...payload, addresses: [...payload.addresses] }),
      )
    case 'MachineStatusEvent':
      return status(payload)
    case 'ConfigLoadErrorEvent':
    case 'ConfigValidationErrorEvent':
      return configError(payload)
  }
}

/** A message as Talos packs it into an event. */
export const anyOf = <M extends DescMessage>(schema: M, message: MessageShape<M>): Any =>
  create(AnySchema, {
    typeUrl: `talos/runtime/${schema.typeName}`,
    value: toBinary(schema, message),
  })

function sequence({ sequence, action, error }: Payload<'SequenceEvent'>): Any {
  return anyOf(
    SequenceEventSchema,
    create(SequenceEventSchema, {
      sequence,
      action: SequenceEvent_Action[action],
      ...(error && { error: { code: Code[error.code], message: error.message } }),
    }),
  )
}

const SERVICE_ACTIONS: ReadonlyMap<string, ServiceStateEvent_Action> = new Map(
  Object.entries(ServiceStateEvent_Action).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value] as const] : [],
  ),
)

function service({ service, action, message, isHealthy }: Payload<'ServiceStateEvent'>): Any {
  return anyOf(
    ServiceStateEventSchema,
    create(ServiceStateEventSchema, {
      service,
      action: SERVICE_ACTIONS.get(action.toUpperCase()) ?? ServiceStateEvent_Action.INITIALIZED,
      message,
      health: { unknown: isHealthy === undefined, healthy: isHealthy ?? false },
    }),
  )
}

function status({ stage, isReady, unmet }: Payload<'MachineStatusEvent'>): Any {
  return anyOf(
    MachineStatusEventSchema,
    create(MachineStatusEventSchema, {
      stage: MachineStatusEvent_MachineStage[STAGES[stage]],
      status: { ready: isReady, unmetConditions: [...unmet] },
    }),
  )
}

const STAGES = {
  unknown: 'UNKNOWN',
  booting: 'BOOTING',
  installing: 'INSTALLING',
  maintenance: 'MAINTENANCE',
  running: 'RUNNING',
  rebooting: 'REBOOTING',
  'shutting down': 'SHUTTING_DOWN',
  resetting: 'RESETTING',
  upgrading: 'UPGRADING',
} as const

function configError({ type, error }: ConfigError): Any {
  return type === 'ConfigLoadErrorEvent'
    ? anyOf(ConfigLoadErrorEventSchema, create(ConfigLoadErrorEventSchema, { error }))
    : anyOf(ConfigValidationErrorEventSchema, create(ConfigValidationErrorEventSchema, { error }))
}
