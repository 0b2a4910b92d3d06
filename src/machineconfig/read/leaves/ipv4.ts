import { quote } from '#machineconfig/quote.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'

/** The four bytes of an IPv4 address, or what Go's netip says against it. */
export function parseIPv4(text: string): readonly number[] | Refusal {
  const bytes: number[] = []
  let digits = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    const isDigit = /[0-9]/.test(letter)
    if (isDigit) digits += letter
    const problem = isDigit ? digitsProblem(digits) : signProblem(text, at, bytes.length)
    if (problem) return new Refusal(problem)
    if (isDigit) continue
    bytes.push(Number(digits))
    digits = ''
  }
  return bytes.length < 3 ? new Refusal('IPv4 address too short') : [...bytes, Number(digits)]
}

function digitsProblem(digits: string): string | undefined {
  if (digits.length === 2 && digits.startsWith('0')) return 'IPv4 field has octet with leading zero'
  return Number(digits) > 255 ? 'IPv4 field has value >255' : undefined
}

function signProblem(text: string, at: number, fields: number): string | undefined {
  const here = `(at ${quote(text.slice(at))})`
  if (text[at] !== '.') return `unexpected character ${here}`
  if (at === 0 || at === text.length - 1 || text[at - 1] === '.') {
    return `IPv4 field must have at least one digit ${here}`
  }
  return fields === 3 ? 'IPv4 address too long' : undefined
}
