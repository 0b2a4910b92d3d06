import { Refusal } from '#simulator/refusal.ts'

/** Where a watch can go on from, as clients keep it. */
export function bookmarkBytes(bookmark: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(bookmark))
  return bytes
}

/** The same back. Refuses what was never given out. */
export function bookmarkOf(bytes: Uint8Array): number {
  if (bytes.length !== 8) throw invalidBookmark()
  return Number(Buffer.from(bytes).readBigInt64BE())
}

/** For one that is too old, or of another boot. */
export const invalidBookmark = (): Refusal =>
  new Refusal('FailedPrecondition', 'invalid watch bookmark')
