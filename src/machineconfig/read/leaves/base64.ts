import { Refusal } from '#machineconfig/read/refusal.ts'
import { REDACTED } from '#machineconfig/redacted.ts'

const LETTERS = /^[A-Za-z0-9+/]*={0,2}$/
const ODD = /[^A-Za-z0-9+/\r\n]/

/** Base64 in its one spelling; line breaks in it are passed over. */
export function readBase64(text: string): string | Refusal {
  const digits = text.includes('\n') || text.includes('\r') ? text.replace(/[\r\n]/g, '') : text
  if (digits.length % 4 || !LETTERS.test(digits))
    return new Refusal(`illegal base64 data at input byte ${firstBad(text)}`)
  // Bits that do not count may be set in the last digit of a padded text.
  return digits.endsWith('=') ? Buffer.from(digits, 'base64').toString('base64') : digits
}

/** The same for a key, which may have been redacted. */
export const readBase64Key = (text: string): string | Refusal =>
  text === REDACTED ? text : readBase64(text)

/** Where Go stops: at the first byte that cannot stand there, or before a group that is cut short. */
function firstBad(text: string): number {
  const odd = ODD.exec(text)?.index ?? text.length
  const inGroup = text.slice(0, odd).replace(/[\r\n]/g, '').length % 4
  if (odd === text.length) return odd - inGroup
  if (text[odd] !== '=' || inGroup < 2) return odd
  const second = afterBreaks(text, odd + 1)
  if (inGroup === 3 || second === text.length || text[second] !== '=') return second
  return afterBreaks(text, second + 1)
}

function afterBreaks(text: string, from: number): number {
  let at = from
  while (text[at] === '\n' || text[at] === '\r') at++
  return at
}
