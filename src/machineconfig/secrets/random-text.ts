import { randomBytes } from 'node:crypto'
import { Secret } from '#base/secret.ts'

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'
// The largest multiple of 36 that a byte can be below: others would favour the first letters.
const BELOW = 252

/** A new token as machines and kubelets show it: six letters or digits, a dot, and sixteen. */
export const newToken = (): Secret<string> => new Secret(`${letters(6)}.${letters(16)}`)

/** 256 new random bits, base64 with `+` and `/`. */
export const newKeyText = (): Secret<string> => new Secret(randomBytes(32).toString('base64'))

const FIRST_WITH_STANDARD_ID = 14

/** A new ID of a cluster, in the alphabet that this minor version of Talos takes. */
export function newClusterId(contract: number): string {
  const text = newKeyText().open()
  if (contract >= FIRST_WITH_STANDARD_ID) return text
  return text.replaceAll('+', '-').replaceAll('/', '_')
}

function letters(count: number): string {
  const drawn = [...randomBytes(2 * count)].filter((byte) => byte < BELOW)
  const found = drawn.map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')
  return found.length < count ? letters(count) : found.slice(0, count)
}
