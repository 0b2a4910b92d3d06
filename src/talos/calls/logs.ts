import type { Caller, CallOptions } from '#talos/caller.ts'
import { ContainerDriver } from '#talos/generated/common/common_pb.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { MachineError } from '#talos/outcome.ts'
import { bytesOf, wholeOf } from './byte-stream.ts'

// For what is worth reading in one piece.
const LARGEST_FILE = 4 * 1024 * 1024
const LARGEST_BOOT_ID = 1024
const BOOT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

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

  /** A small file; one that is larger than `mostBytes` is `refused`. */
  readFile(
    path: string,
    { mostBytes = LARGEST_FILE, ...options }: CallOptions & { mostBytes?: number } = {},
  ): Promise<Buffer> {
    const what = `read the file ${JSON.stringify(path)} of`
    return fileOf(caller, { path, mostBytes }, { what, options })
  },

  /** Another one after each boot. Never empty: `lost` if what the machine says is no boot id. */
  async bootId(options?: CallOptions): Promise<string> {
    const file = { path: '/proc/sys/kernel/random/boot_id', mostBytes: LARGEST_BOOT_ID }
    const bytes = await fileOf(caller, file, { what: 'read the boot id of', options })
    const id = bytes.toString('utf8').trim()
    if (BOOT_ID.test(id)) return id
    // Two answers that say nothing are alike, and would pass for the same boot.
    throw new MachineError({
      message: `what ${caller.where} sent as its boot id is none`,
      outcome: 'lost',
    })
  },
})

function fileOf(
  caller: Caller,
  { path, mostBytes }: { path: string; mostBytes: number },
  told: { what: string; options: CallOptions | undefined },
): Promise<Buffer> {
  const call = { method: MachineService.method.read, pace: 'stream', ...told } as const
  return wholeOf(caller.where, bytesOf(caller, call, { path }), mostBytes)
}
