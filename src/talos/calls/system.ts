import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Caller, CallOptions } from '#talos/caller.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { TimeService } from '#talos/generated/time/time_pb.ts'
import { onlyMessage } from './only-message.ts'

export interface MachineVersion {
  /** `v1.13.0` */
  version: string
  sha: string
  /** `amd64` … */
  arch: string
  /** `metal`, `container`, `aws` … */
  platform: string
  /** `metal`, `cloud`, `container`, `metal-agent` */
  mode: string
}

export interface MachineTime {
  /** The time server that was asked. */
  server: string
  /** What the machine has. */
  local: Date | undefined
  /** What the server has. */
  remote: Date | undefined
}

export interface Mount {
  filesystem: string
  mountedOn: string
  sizeBytes: number
  availableBytes: number
}

/** What a machine is and how it is. */
export const systemCalls = (caller: Caller) => ({
  /** Not before v1.13 in maintenance mode: `not-supported`. */
  async version(options?: CallOptions): Promise<MachineVersion> {
    const method = MachineService.method.version
    const what = 'read the version of'
    const answer = await caller.ask({ method, what, pace: 'read', options }, {})
    const { version, platform } = onlyMessage(caller, answer)
    return {
      version: version?.tag ?? '',
      sha: version?.sha ?? '',
      arch: version?.arch ?? '',
      platform: platform?.name ?? '',
      mode: platform?.mode ?? '',
    }
  },

  async hostname(options?: CallOptions): Promise<string> {
    const method = MachineService.method.hostname
    const what = 'read the host name of'
    const answer = await caller.ask({ method, what, pace: 'read', options }, {})
    return onlyMessage(caller, answer).hostname
  },

  async memory(options?: CallOptions): Promise<{ totalBytes: number; availableBytes: number }> {
    const method = MachineService.method.memory
    const what = 'read the memory of'
    const answer = await caller.ask({ method, what, pace: 'read', options }, {})
    const { meminfo } = onlyMessage(caller, answer)
    return {
      totalBytes: Number(meminfo?.memtotal ?? 0n) * 1_024,
      availableBytes: Number(meminfo?.memavailable ?? 0n) * 1_024,
    }
  },

  async mounts(options?: CallOptions): Promise<Mount[]> {
    const method = MachineService.method.mounts
    const what = 'list the mounts of'
    const answer = await caller.ask({ method, what, pace: 'read', options }, {})
    return onlyMessage(caller, answer).stats.map(({ filesystem, mountedOn, size, available }) => ({
      filesystem,
      mountedOn,
      sizeBytes: Number(size),
      availableBytes: Number(available),
    }))
  },

  /** Compares the machine's clock with its time server. */
  async time(options?: CallOptions): Promise<MachineTime> {
    const method = TimeService.method.time
    const what = 'read the clock of'
    const answer = await caller.ask({ method, what, pace: 'change', options }, {})
    const { server, localtime, remotetime } = onlyMessage(caller, answer)
    return {
      server,
      local: localtime && timestampDate(localtime),
      remote: remotetime && timestampDate(remotetime),
    }
  },
})
