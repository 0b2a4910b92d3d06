/** Thrown for a text that is not base64, in Go's words. */
class NotBase64 extends Error {
  override readonly name = 'NotBase64'
}

/** Bytes as Go writes them: no line breaks, no stray bits. Throws `NotBase64` for what Go cannot read. */
export function canonicalBase64(text: string): string {
  const bytes = Buffer.from(text, 'base64')
  // Node passes over what is not base64, and knows the letters of URLs: fewer bytes mean faults.
  if (bytes.length !== expectedBytes(text) || text.includes('-') || text.includes('_')) {
    const at = firstFault(text)
    if (at !== undefined) throw new NotBase64(`illegal base64 data at input byte ${at}`)
    return bytes.toString('base64')
  }
  if (!text.endsWith('=')) return text
  // The last letter before the padding has bits that belong to no byte.
  const tail = text.slice(-4)
  const clean = Buffer.from(tail, 'base64').toString('base64')
  return clean === tail ? text : text.slice(0, -4) + clean
}

/** How many bytes a text holds that is base64 with its padding and nothing else. */
function expectedBytes(text: string): number {
  if (text.length % 4 !== 0) return -1
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='))
  return (text.length / 4) * 3 - padding
}

const LETTER = /[A-Za-z0-9+/]/

/** Where Go stops reading, if it does. It skips line breaks, and wants the padding. */
function firstFault(text: string): number | undefined {
  let inGroup = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (letter === '\n' || letter === '\r') continue
    if (letter === '=') return faultInPadding(text, at, inGroup)
    if (!LETTER.test(letter)) return at
    inGroup = (inGroup + 1) % 4
  }
  return inGroup === 0 ? undefined : text.length - inGroup
}

function faultInPadding(text: string, at: number, inGroup: number): number | undefined {
  if (inGroup < 2) return at
  let next = afterLineBreaks(text, at + 1)
  if (inGroup === 2) {
    if (next === text.length) return next
    if (text[next] !== '=') return at
    next = afterLineBreaks(text, next + 1)
  }
  return next < text.length ? next : undefined
}

function afterLineBreaks(text: string, from: number): number {
  let at = from
  while (text[at] === '\n' || text[at] === '\r') at++
  return at
}
