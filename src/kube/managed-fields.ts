const KEY = Buffer.from('"managedFields":[')
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/**
 * The same JSON with nothing in its lists of managed fields, wherever they are. Nobody here reads them,
 * they are often half of an object, and what is not parsed costs nothing. Changes the bytes, which must
 * be the caller's own.
 */
export function withoutManagedFields(bytes: Buffer): Buffer {
  let kept = 0
  let from = 0
  // Quotes within a text are escaped, so this is found as a key and nowhere else.
  for (let at = bytes.indexOf(KEY); at !== -1; at = bytes.indexOf(KEY, from)) {
    const start = at + KEY.length
    bytes.copyWithin(kept, from, start)
    kept += start - from
    from = endOfList(bytes, start)
  }
  if (from === 0) return bytes
  bytes.copyWithin(kept, from)
  return bytes.subarray(0, kept + bytes.length - from)
}

/** Where the list ends whose first item is at the index; the end of the bytes, if it does not. */
function endOfList(bytes: Buffer, first: number): number {
  const { length } = bytes
  let depth = 1
  for (let at = first; at < length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === LIST || byte === OBJECT) depth++
    else if ((byte === LIST_END || byte === OBJECT_END) && --depth === 0) return at
  }
  return length
}

function endOfText(bytes: Buffer, opening: number): number {
  const { length } = bytes
  let at = opening + 1
  while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
