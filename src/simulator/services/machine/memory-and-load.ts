import type { Machine } from '#simulator/machine/machine.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { uptimeMs } from './containers.ts'

const MEBIBYTE_KIB = 1024n
// What a service takes, on average.
const SERVICE_MIB = 60

/** How busy a machine is: what follows from its hardware and from the services that run on it. */
export const memoryAndLoad: Answers<typeof MachineService> = {
  memory: (_, { machine }) => {
    const total = BigInt(machine.hardware.memoryMiB) * MEBIBYTE_KIB
    const used = min(BigInt(200 + runningOf(machine) * SERVICE_MIB) * MEBIBYTE_KIB, total / 2n)
    const cached = min(total / 8n, total - used)
    return {
      messages: [
        {
          meminfo: {
            ...{ memtotal: total, memfree: total - used - cached, cached },
            ...{ memavailable: total - used, buffers: 4n * MEBIBYTE_KIB },
            ...{ active: used / 2n, inactive: cached, anonpages: used / 2n, mapped: used / 8n },
            ...{ slab: 64n * MEBIBYTE_KIB, sreclaimable: 40n * MEBIBYTE_KIB },
            ...{ sunreclaim: 24n * MEBIBYTE_KIB, hugepagesize: 2048n, committedas: used },
          },
        },
      ],
    }
  },
  loadAvg: (_, { machine }) => {
    const load = (runningOf(machine) / 20) * Math.sqrt(machine.hardware.cpus)
    return { messages: [{ load1: load, load5: load * 0.9, load15: load * 0.8 }] }
  },
  systemStat: (_, { machine, clock }) => {
    const seconds = uptimeMs(machine) / 1000
    const busy = Math.min(0.5, runningOf(machine) / 50)
    const one = { user: seconds * busy, system: (seconds * busy) / 2, idle: seconds * (1 - busy) }
    const { cpus } = machine.hardware
    const ticks = BigInt(Math.floor(seconds * 1000))
    return {
      messages: [
        {
          bootTime: BigInt(Math.floor(clock.now().getTime() / 1000 - seconds)),
          cpuTotal: { user: one.user * cpus, system: one.system * cpus, idle: one.idle * cpus },
          cpu: Array.from({ length: cpus }, () => one),
          contextSwitches: ticks * 4n,
          irqTotal: ticks,
          processCreated: BigInt(100 + runningOf(machine) * 10),
          processRunning: BigInt(runningOf(machine)),
          softIrqTotal: ticks,
          softIrq: { timer: ticks / 2n, sched: ticks / 2n },
        },
      ],
    }
  },
}

const runningOf = ({ services }: Machine): number =>
  services.filter(({ phase }) => phase === 'Running').length

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
