import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Caller, CallOptions } from '#talos/caller.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import type { ServiceInfo } from '#talos/generated/machine/services_pb.ts'
import { onlyMessage } from './only-message.ts'

/** A service of Talos and how it is. */
export interface SystemUnit {
  id: string
  /** `Running`, `Waiting`, `Failed` … */
  state: string
  /** Undefined: it has no health check, or none was made yet. */
  isHealthy: boolean | undefined
  /** What the last health check said. */
  healthMessage: string
  events: { state: string; message: string; at: Date | undefined }[]
}

/** The services that run on a machine: `etcd`, `kubelet`, `ext-…`. */
export const servicesCalls = (caller: Caller) => ({
  async list(options?: CallOptions): Promise<SystemUnit[]> {
    const method = MachineService.method.serviceList
    const what = 'list the services of'
    const answer = await caller.ask({ method, what, pace: 'read', options }, {})
    return onlyMessage(caller, answer).services.map(serviceOf)
  },

  /** Allowed for the kubelet and extensions. Resolves to the machine's words. */
  async start(id: string, options?: CallOptions): Promise<string> {
    const method = MachineService.method.serviceStart
    const what = `start the service ${JSON.stringify(id)} of`
    return onlyMessage(caller, await caller.ask({ method, what, pace: 'change', options }, { id }))
      .resp
  },

  /** Allowed for extensions. Resolves to the machine's words. */
  async stop(id: string, options?: CallOptions): Promise<string> {
    const method = MachineService.method.serviceStop
    const what = `stop the service ${JSON.stringify(id)} of`
    return onlyMessage(caller, await caller.ask({ method, what, pace: 'change', options }, { id }))
      .resp
  },

  /** Allowed for the kubelet and extensions. Resolves to the machine's words. */
  async restart(id: string, options?: CallOptions): Promise<string> {
    const method = MachineService.method.serviceRestart
    const what = `restart the service ${JSON.stringify(id)} of`
    return onlyMessage(caller, await caller.ask({ method, what, pace: 'change', options }, { id }))
      .resp
  },
})

const serviceOf = ({ id, state, health, events }: ServiceInfo): SystemUnit => ({
  id,
  state,
  isHealthy: !health || health.unknown ? undefined : health.healthy,
  healthMessage: health?.lastMessage ?? '',
  events: (events?.events ?? []).map(({ msg, state: then, ts }) => ({
    state: then,
    message: msg,
    at: ts && timestampDate(ts),
  })),
})
