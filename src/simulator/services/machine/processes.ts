import type { Answers } from '#simulator/services/served-method.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { pidOf, uptimeMs } from './containers.ts'

/** What runs on a machine: its first process, and one for each service that is up. */
export const processes: Answers<typeof MachineService> = {
  processes: (_, { machine }) => {
    const cpuTime = uptimeMs(machine) / 10_000
    const running = machine.services.filter(
      ({ id, phase }) => phase === 'Running' && id !== 'machined',
    )
    const init = {
      ...{ pid: 1, ppid: 0, state: 'S', threads: 12, cpuTime, command: 'init' },
      ...{ executable: '/sbin/init', args: '/sbin/init', residentMemory: 90_000_000n },
    }
    return {
      messages: [
        {
          processes: [
            { ...init, virtualMemory: 1_500_000_000n },
            ...running.map(({ id }) => ({
              ...{ pid: pidOf(machine, id), ppid: 1, state: 'S', threads: 8, cpuTime },
              ...{ command: id, executable: `/${id}`, args: `/${id}` },
              ...{ residentMemory: 40_000_000n, virtualMemory: 1_200_000_000n },
            })),
          ],
        },
      ],
    }
  },
}
