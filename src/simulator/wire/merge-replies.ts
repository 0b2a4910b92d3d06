import { create, toBinary } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import { Refusal } from '#simulator/refusal.ts'
import { EmptyResponseSchema, EmptySchema } from '#talos/generated/common/common_pb.ts'

// Replies of several machines become one because protobuf joins repeated fields of messages that are
// written one after the other: `messages` is always field 1, and so is the metadata in each of them.

const MESSAGES_TAG = 0x0a

/** A reply with the name of the machine that it came from. */
export function withOrigin(reply: Uint8Array, origin: string, isStreamed: boolean): Uint8Array {
  const metadata = toBinary(EmptySchema, create(EmptySchema, { metadata: { hostname: origin } }))
  if (isStreamed) return Buffer.concat([reply, metadata])
  const { length, start } = headOf(reply)
  const body = reply.subarray(start, start + length)
  const rest = reply.subarray(start + length)
  const head = [MESSAGES_TAG, ...varint(body.length + metadata.length)]
  return Buffer.concat([Uint8Array.from(head), body, metadata, rest])
}

/** A failure in the place of a reply. */
export function failureReply(error: unknown, origin: string, isStreamed: boolean): Uint8Array {
  const refusal = error instanceof Refusal ? error : new Refusal('Unknown', 'the call failed')
  const metadata = {
    hostname: origin,
    error: `rpc error: code = ${refusal.code} desc = ${refusal.message}`,
    status: { code: statusOf(refusal), message: refusal.message },
  }
  return isStreamed
    ? toBinary(EmptySchema, create(EmptySchema, { metadata }))
    : toBinary(EmptyResponseSchema, create(EmptyResponseSchema, { messages: [{ metadata }] }))
}

/** The number of a refusal's code. */
export function statusOf({ code }: Refusal): status {
  return CODES[code]
}

const CODES = {
  InvalidArgument: status.INVALID_ARGUMENT,
  NotFound: status.NOT_FOUND,
  AlreadyExists: status.ALREADY_EXISTS,
  PermissionDenied: status.PERMISSION_DENIED,
  FailedPrecondition: status.FAILED_PRECONDITION,
  ResourceExhausted: status.RESOURCE_EXHAUSTED,
  Unimplemented: status.UNIMPLEMENTED,
  Unavailable: status.UNAVAILABLE,
  Internal: status.INTERNAL,
  Unknown: status.UNKNOWN,
} as const

function headOf(reply: Uint8Array): { length: number; start: number } {
  if (reply[0] !== MESSAGES_TAG) throw new Refusal('Internal', 'unexpected message format')
  let length = 0
  let at = 1
  for (let factor = 1; ; factor *= 128) {
    const byte = reply[at++] ?? 0
    length += (byte % 128) * factor
    if (byte < 128) return { length, start: at }
  }
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return [...bytes, rest]
}
