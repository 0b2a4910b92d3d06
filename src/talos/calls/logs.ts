import type { Caller, CallOptions } from '#talos/caller.ts'
import { ContainerDriver } from '#talos/generated/common/common_pb.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { bytesOf, wholeOf } from './byte-stream.ts'

// For what is worth reading in one piece.
const LARGEST_FILE = 4 * 1024 * 1024

interface LogsFrom {
  /** Go on with what comes. */
  follow?: boolean
  /** How many lines of the past; left out: all. */
  tailLines?: number
}

/** Logs and files of a machine, as bytes: a chunk may end in the middle of a line. */
export const logCalls = (caller: Caller) => ({
  /** Of a service of Talos. */
  serviceLogs(
    id: string,
    { follow = false, tailLines = -1 }: LogsFrom = {},
    options?: CallOptions,
  ): AsyncIterable<Uint8Array> {
    const pace = follow ? 'follow' : 'stream'
    const what = `read the log of ${JSON.stringify(id)} of`
    return bytesOf(
      caller,
      { method: MachineService.method.logs, what, pace, options },
      { namespace: 'system', driver: ContainerDriver.CONTAINERD, id, follow, tailLines },
    )
  },

  /** Of a container, by `namespace/pod:container`. */
  containerLogs(
    id: string,
    { follow = false, tailLines = -1 }: LogsFrom = {},
    options?: CallOptions,
  ): AsyncIterable<Uint8Array> {
    const pace = follow ? 'follow' : 'stream'
    const what = `read the log of ${JSON.stringify(id)} of`
    return bytesOf(
      caller,
      { method: MachineService.method.logs, what, pace, options },
      { namespace: 'k8s.io', driver: ContainerDriver.CRI, id, follow, tailLines },
    )
  },

  /** Of the kernel. With `tail`, only what comes. */
  dmesg({ follow = false, tail = false } = {}, options?: CallOptions): AsyncIterable<Uint8Array> {
    const pace = follow ? 'follow' : 'stream'
    const call = { method: MachineService.method.dmesg, what: 'read the kernel log of', pace }
    return bytesOf(caller, { ...call, pace, options }, { follow, tail })
  },

  /** A small file. */
  readFile: (path: string, options?: CallOptions): Promise<Buffer> =>
    smallFile(caller, path, options),

  /** Another one after each boot. */
  async bootId(options?: CallOptions): Promise<string> {
    const bytes = await smallFile(caller, '/proc/sys/kernel/random/boot_id', options)
    return bytes.toString('utf8').trim()
  },
})

function smallFile(caller: Caller, path: string, options?: CallOptions): Promise<Buffer> {
  const what = `read the file ${JSON.stringify(path)} of`
  const call = { method: MachineService.method.read, what, pace: 'stream', options } as const
  return wholeOf(caller.where, bytesOf(caller, call, { path }), LARGEST_FILE)
}
