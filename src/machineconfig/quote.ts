const NAMED = new Map([
  ['\\', '\\\\'],
  ['"', '\\"'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
])

const NOT_PLAIN = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

/** A text in double quotes as Go's `%q` writes it. */
export const quote = (text: string): string =>
  `"${text.replace(NOT_PLAIN, (char) => NAMED.get(char) ?? escaped(char))}"`

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`
  if (code < 0x1_0000) return `\\u${hex.padStart(4, '0')}`
  return `\\U${hex.padStart(8, '0')}`
}
