import type { EtcdEntry } from './etcd-content.ts'

const REVISION_BYTES = 17
const SEPARATOR = 0x5f
// Field numbers of mvccpb.KeyValue, with their wire types.
const [KEY, CREATED, CHANGED, VERSION, VALUE] = [0x0a, 0x10, 0x18, 0x20, 0x2a]

/** The key under which etcd stores a change: its revision, so that changes lie in their order. */
export function revisionKey(revision: number): Buffer {
  const key = Buffer.alloc(REVISION_BYTES)
  key.writeBigUInt64BE(BigInt(revision))
  key[8] = SEPARATOR
  return key
}

/** A change as etcd stores it, a `KeyValue` in protobuf. */
export function keyValue({ key, value, revision }: EtcdEntry): Buffer {
  const name = Buffer.from(key)
  const changed = varint(revision)
  return Buffer.concat([
    ...[Buffer.of(KEY), varint(name.length), name],
    ...[Buffer.of(CREATED), changed, Buffer.of(CHANGED), changed, Buffer.of(VERSION, 1)],
    ...[Buffer.of(VALUE), varint(value.length), value],
  ])
}

/** The entry that was stored so; nothing, if it is none. Removals have a longer key, and no entry. */
export function entryOf(revisionBytes: Buffer, stored: Buffer): EtcdEntry | undefined {
  if (revisionBytes.length !== REVISION_BYTES || revisionBytes[8] !== SEPARATOR) return undefined
  const revision = Number(revisionBytes.readBigUInt64BE())
  const fields = bytesFieldsOf(stored)
  const key = fields?.get(KEY)?.toString()
  if (!fields || key === undefined) return undefined
  return { key, revision, value: fields.get(VALUE) ?? Buffer.alloc(0) }
}

/** The fields of a message that hold bytes; nothing, if it is not a message of numbers and bytes. */
function bytesFieldsOf(message: Buffer): ReadonlyMap<number, Buffer> | undefined {
  const fields = new Map<number, Buffer>()
  let at = 0
  while (at < message.length) {
    const tag = message[at] ?? 0
    const number = readVarint(message, at + 1)
    if (!number) return undefined
    at = number.end
    if (tag % 8 === 0) continue
    const end = at + number.value
    if (tag % 8 !== 2 || end > message.length) return undefined
    fields.set(tag, message.subarray(at, end))
    at = end
  }
  return fields
}

function varint(number: number): Buffer {
  const bytes: number[] = []
  let rest = number
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Buffer.of(...bytes, rest)
}

const LONGEST_VARINT = 8

function readVarint(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0
  for (let at = 0; at < LONGEST_VARINT; at++) {
    const byte = bytes[start + at]
    if (byte === undefined) return undefined
    value += (byte % 0x80) * 0x80 ** at
    if (byte < 0x80) return { value, end: start + at + 1 }
  }
  return undefined
}
