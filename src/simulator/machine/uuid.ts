import { randomBytesFrom } from '#simulator/random.ts'

/** A random UUID, version 4. */
export function uuidFrom(random: () => number): string {
  const bytes = Buffer.from(randomBytesFrom(random, 16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
