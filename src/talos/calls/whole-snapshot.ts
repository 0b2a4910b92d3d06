import { createHash } from 'node:crypto'
import { MachineError } from '#talos/outcome.ts'

const SUM_BYTES = 32

/**
 * Passes the bytes on, and throws `lost` at their end unless they end with the SHA-256 of all before. A
 * machine whose etcd breaks off ends its stream as if all had been said.
 */
export async function* wholeSnapshot(
  where: string,
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256')
  let sum = Buffer.alloc(0)
  for await (const bytes of stream) {
    const held = Buffer.concat([sum, bytes])
    const end = Math.max(0, held.length - SUM_BYTES)
    hash.update(held.subarray(0, end))
    sum = held.subarray(end)
    yield bytes
  }
  if (!hash.digest().equals(sum)) {
    throw new MachineError({
      message: `the snapshot of etcd on ${where} is not whole: it does not end with its SHA-256`,
      outcome: 'lost',
    })
  }
}
