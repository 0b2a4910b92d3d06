import type { Caller, CallOptions } from '#talos/caller.ts'
import {
  MachineService,
  RebootRequest_Mode,
  ResetRequest_WipeMode,
} from '#talos/generated/machine/machine_pb.ts'
import { onlyMessage } from './only-message.ts'

const REBOOT_MODES = {
  /** Into the new kernel without the firmware, where that can be. */
  default: RebootRequest_Mode.DEFAULT,
  'power-cycle': RebootRequest_Mode.POWERCYCLE,
  /** Since v1.12: without stopping anything first. */
  force: RebootRequest_Mode.FORCE,
} as const

const WIPE_MODES = {
  all: ResetRequest_WipeMode.ALL,
  'system-disk': ResetRequest_WipeMode.SYSTEM_DISK,
  'user-disks': ResetRequest_WipeMode.USER_DISKS,
} as const

export interface Reset {
  /** Leave etcd and drain first. If not, the etcd member has to be removed through another machine. */
  graceful: boolean
  /** Come back, in maintenance mode if Talos is still installed. If not: power off. */
  reboot: boolean
  /** `STATE`, `EPHEMERAL` …: what is wiped. Empty: all of the system disk. */
  partitions?: readonly string[]
  /** Device paths. */
  userDisks?: readonly string[]
  /** Left out: `all`. */
  wipe?: keyof typeof WIPE_MODES
}

/** By which the events of what was begun are known. */
export interface Begun {
  actorId: string
}

/** What ends all that a machine does. Each resolves when it has accepted: whether it happens is in its events. */
export const powerCalls = (caller: Caller) => ({
  async reboot(
    { mode = 'default' }: { mode?: keyof typeof REBOOT_MODES } = {},
    options?: CallOptions,
  ): Promise<Begun> {
    const method = MachineService.method.reboot
    const call = { method, what: 'reboot', pace: 'change', options } as const
    const answer = await caller.ask(call, { mode: REBOOT_MODES[mode] })
    return { actorId: onlyMessage(caller, answer).actorId }
  },

  async shutdown({ force = false } = {}, options?: CallOptions): Promise<Begun> {
    const method = MachineService.method.shutdown
    const answer = await caller.ask(
      { method, what: 'shut down', pace: 'change', options },
      { force },
    )
    return { actorId: onlyMessage(caller, answer).actorId }
  },

  /** Wipes. Whoever calls it has made sure that it is the right machine. */
  async reset(reset: Reset, options?: CallOptions): Promise<Begun> {
    const { graceful, reboot, partitions = [], userDisks = [], wipe = 'all' } = reset
    const method = MachineService.method.reset
    const answer = await caller.ask(
      { method, what: 'reset', pace: 'change', options },
      {
        graceful,
        reboot,
        systemPartitionsToWipe: partitions.map((label) => ({ label, wipe: true })),
        userDisksToWipe: [...userDisks],
        mode: WIPE_MODES[wipe],
      },
    )
    return { actorId: onlyMessage(caller, answer).actorId }
  },

  /** Boots what was installed before. */
  async rollback(options?: CallOptions): Promise<void> {
    const method = MachineService.method.rollback
    onlyMessage(
      caller,
      await caller.ask({ method, what: 'roll back', pace: 'change', options }, {}),
    )
  },
})
