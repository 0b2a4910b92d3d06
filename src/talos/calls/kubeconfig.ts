import { gunzipSync } from 'node:zlib'
import { Secret } from '#base/secret.ts'
import type { Caller, CallOptions } from '#talos/caller.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { MachineError } from '#talos/outcome.ts'
import { bytesOf, wholeOf } from './byte-stream.ts'

const LARGEST_PACKED = 1024 * 1024
const LARGEST = 4 * 1024 * 1024
const HEADER = 512
const SIZE_AT = 124
const SIZE_DIGITS = 12

/** The kubeconfig of the cluster's administrator, made by a control plane machine. */
export const kubeconfigCalls = (caller: Caller) => ({
  async kubeconfig(options?: CallOptions): Promise<Secret<string>> {
    const method = MachineService.method.kubeconfig
    const call = { method, what: 'fetch the kubeconfig from', pace: 'stream', options } as const
    const packed = await wholeOf(caller.where, bytesOf(caller, call, {}), LARGEST_PACKED)
    const text = firstFileIn(packed)
    if (text) return text
    const message = `what ${caller.where} sent as a kubeconfig is no archive with one file`
    throw new MachineError({ message, outcome: 'lost' })
  },
})

/** The file in a `.tar.gz` that lacks its end, as Talos makes it; undefined if it is none. */
function firstFileIn(packed: Buffer): Secret<string> | undefined {
  const archive = unpacked(packed)
  const digits = archive?.toString('latin1', SIZE_AT, SIZE_AT + SIZE_DIGITS).replace(/[\0 ]+$/, '')
  if (!archive || !digits || !/^[0-7]+$/.test(digits)) return undefined
  const size = Number.parseInt(digits, 8)
  const content = archive.subarray(HEADER, HEADER + size)
  return size > 0 && content.length === size ? new Secret(content.toString('utf8')) : undefined
}

function unpacked(packed: Buffer): Buffer | undefined {
  try {
    return gunzipSync(packed, { maxOutputLength: LARGEST })
  } catch {
    return undefined
  }
}
