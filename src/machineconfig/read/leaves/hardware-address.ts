import { Refusal } from '#machineconfig/read/refusal.ts'

/** A MAC address as Go prints it: pairs of lower-case digits with colons in between. */
export function readHardwareAddress(text: string): string | Refusal {
  const digits = text.replaceAll(':', '')
  const [odd] = /[^0-9a-fA-F]/u.exec(digits) ?? []
  if (odd !== undefined) return new Refusal(`encoding/hex: invalid byte: ${codePoint(odd)}`)
  if (digits.length % 2) return new Refusal('encoding/hex: odd length hex string')
  return digits.toLowerCase().replace(/..(?=.)/g, '$&:')
}

// Go looks at bytes, so that the first one of a longer letter is what it shows.
function codePoint(letter: string): string {
  const byte = Buffer.from(letter)[0] ?? 0
  const code = `U+${byte.toString(16).toUpperCase().padStart(4, '0')}`
  return /[\p{L}\p{N}\p{P}\p{S} ]/u.test(String.fromCharCode(byte))
    ? `${code} '${String.fromCharCode(byte)}'`
    : code
}
