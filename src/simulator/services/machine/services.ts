import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceState } from '#simulator/machine/service-state.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'

/** The services of a machine, and what can be done with them. */
export const services: Answers<typeof MachineService> = {
  serviceList: (_, { machine }) => ({
    messages: [{ services: [...machine.services].sort(byId).map(shown) }],
  }),
  serviceStart: ({ id }, { machine }) => ({ messages: [{ resp: machine.startService(id) }] }),
  serviceStop: ({ id }, { machine }) => ({ messages: [{ resp: machine.stopService(id) }] }),
  serviceRestart: ({ id }, { machine }) => ({ messages: [{ resp: machine.restartService(id) }] }),
}

const byId = (a: ServiceState, b: ServiceState): number => (a.id < b.id ? -1 : 1)

const shown = ({ id, phase, health, events }: ServiceState) => ({
  id,
  state: phase,
  events: {
    events: events.map((event) => ({
      msg: event.message,
      state: event.phase,
      ts: timestampFromMs(event.atMs),
    })),
  },
  health: {
    unknown: !health.isKnown,
    healthy: health.isHealthy,
    lastMessage: health.message,
    lastChange: timestampFromMs(health.sinceMs),
  },
})
