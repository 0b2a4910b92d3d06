import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import type { Call, Caller } from '#talos/caller.ts'
import type { DataSchema } from '#talos/generated/common/common_pb.ts'
import { MachineError } from '#talos/outcome.ts'
import { throwIfError } from './only-message.ts'

/** The bytes of a stream, as they come. */
export async function* bytesOf<I extends DescMessage>(
  caller: Caller,
  call: Call<I, typeof DataSchema>,
  request: MessageInitShape<I>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const message of caller.follow(call, request)) {
    throwIfError(caller.where, message)
    if (message.bytes.length > 0) yield message.bytes
  }
}

/** All bytes of a stream, up to a bound. */
export async function wholeOf(
  where: string,
  stream: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > mostBytes) {
      throw new MachineError({
        message: `${where} sent more than ${mostBytes} bytes where less was expected`,
        outcome: 'refused',
      })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
