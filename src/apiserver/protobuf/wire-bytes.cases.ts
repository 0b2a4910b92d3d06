/** A number as protobuf writes it; negative ones in ten bytes. */
export function varint(value: number | bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Buffer.from([...bytes, Number(rest)])
}

/** A field that holds a text, bytes or a message, which is the parts one after another. */
export function delimited(field: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content])
}

/** A field that holds a number or a boolean. */
export const numeric = (field: number, value: number | bigint): Buffer =>
  Buffer.concat([varint(field * 8), varint(value)])

/** A message of a kind, as Kubernetes sends it. */
export const enveloped = (
  apiVersion: string,
  kind: string,
  ...parts: readonly (Buffer | string)[]
): Buffer =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    delimited(1, delimited(1, apiVersion), delimited(2, kind)),
    delimited(2, ...parts),
    delimited(3),
    delimited(4),
  ])
