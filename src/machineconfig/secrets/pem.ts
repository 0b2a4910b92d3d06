/** One block of a PEM text. */
export interface PemBlock {
  readonly label: string
  readonly der: Buffer
}

const BEGIN = /(?<![^\n])-----BEGIN ([^\n]*?)-----[ \t\r]*(?:\n|$)/g
const END = '-----END '
const HEADERS = /(?:[^\n:]*:[^\n]*\n)*/y
const BODY = /[A-Za-z0-9+/=\s]*/y

/**
 * The blocks of a text as Go finds them, whatever stands around them. Takes time in proportion to the text,
 * whatever it is: each of its letters is looked at once or twice.
 */
export function* pemBlocks(text: string): Generator<PemBlock> {
  let [from, end] = [0, 0]
  for (const { 0: head, 1: label = '', index } of text.matchAll(BEGIN)) {
    const start = index + head.length
    if (start < from) continue
    if (end < start) end = text.indexOf(END, start)
    if (end < 0) return
    const whole = `${END}${label}-----`
    const der = text.startsWith(whole, end) ? bytesOf(text, start, end) : undefined
    if (!der) continue
    from = end + whole.length
    yield { label, der }
  }
}

/** What stands between, after headers if there are any; undefined if it is no base64. */
function bytesOf(text: string, start: number, end: number): Buffer | undefined {
  BODY.lastIndex = start + matched(HEADERS, text, start)
  const body = BODY.exec(text)?.[0] ?? ''
  const digits = body.replace(/\s/g, '')
  const isWhole = digits.length % 4 === 0 && /^[^=]*={0,2}$/.test(digits)
  return BODY.lastIndex === end && isWhole ? Buffer.from(digits, 'base64') : undefined
}

function matched(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

/** The first block of a text, whatever stands before it. */
export const firstPemBlock = (text: string): PemBlock | undefined => pemBlocks(text).next().value

/** A block as text: lines of 64 letters, and a line break at the end. */
export function pemText({ label, der }: PemBlock): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `${[`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n')}\n`
}
