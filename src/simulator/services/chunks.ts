const CHUNK = 64 * 1024

/** Bytes as messages of a stream that carries a file; at least one. */
export function* chunks(bytes: Uint8Array): Iterable<{ bytes: Uint8Array }> {
  for (let at = 0; at === 0 || at < bytes.length; at += CHUNK) {
    yield { bytes: bytes.subarray(at, at + CHUNK) }
  }
}
