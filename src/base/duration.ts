/** A length of time, never negative. */
export interface Duration {
  readonly ms: number
}

const UNITS_MS = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
])

// Go counts nanoseconds in 64 bits, which is 292 years; what is longer is a slip of the finger.
const LONGEST_MS = 100 * 365 * 24 * 3_600_000

const PART = /(\d+\.?\d*|\.\d+)([^\d.]*)/y

/**
 * Reads a duration as Go writes it: `500ms`, `30s`, `1h30m`, `1.5h`, `0`. Throws with the reason, which
 * does not repeat the text.
 */
export function parseDuration(text: string): Duration {
  if (text === '0') return { ms: 0 }
  if (text === '') throw new Error('it is empty')
  if (/^[+-]/.test(text)) throw new Error('a duration has no sign')

  let ms = 0
  for (PART.lastIndex = 0; PART.lastIndex < text.length; ) {
    const part = PART.exec(text)
    if (!part) throw new Error('it is no duration')
    ms += partMs(part[1], part[2])
  }
  if (ms > LONGEST_MS) throw new Error('it is longer than a hundred years')
  return { ms }
}

function partMs(amount = '', unit = ''): number {
  if (unit === '') throw new Error('a number needs its unit, as in 30s')
  const unitMs = UNITS_MS.get(unit)
  if (unitMs === undefined) throw new Error('the units are h, m, s, ms, us and ns')
  return Number(amount) * unitMs
}

/** The duration as one would write it: `1h30m`, `30s`, `500ms`. */
export function formatDuration({ ms }: Duration): string {
  if (ms < 1_000) return ms === 0 ? '0s' : `${ms}ms`
  const parts: [number, string][] = [
    [Math.floor(ms / 3_600_000), 'h'],
    [Math.floor(ms / 60_000) % 60, 'm'],
    // In whole milliseconds, for 0.1 + 0.2 is not 0.3.
    [Math.round(ms % 60_000) / 1_000, 's'],
  ]
  return parts.flatMap(([amount, unit]) => (amount > 0 ? [`${amount}${unit}`] : [])).join('')
}
