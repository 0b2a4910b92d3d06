const UNITS = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 6e10],
  ['h', 3.6e12],
])

const PART = /([0-9]*)(?:\.([0-9]*))?([^0-9.]+)/y
const LONGEST = 2n ** 63n
const LONGEST_TEXT = 200

/** The nanoseconds of a text that Go's `time.ParseDuration` takes, or undefined. */
export function parseGoDuration(text: string): bigint | undefined {
  const [, sign = '', rest = ''] = /^([-+]?)(.*)$/s.exec(text) ?? []
  if (rest === '0') return 0n
  if (rest === '' || rest.length > LONGEST_TEXT) return
  let total = 0n
  for (PART.lastIndex = 0; PART.lastIndex < rest.length; ) {
    const part = partOf(PART.exec(rest))
    if (part === undefined) return
    total += part
  }
  const inBounds = sign === '-' ? total <= LONGEST : total < LONGEST
  if (!inBounds) return
  return sign === '-' ? -total : total
}

function partOf(match: RegExpExecArray | null): bigint | undefined {
  if (!match) return
  const [, whole = '', fraction, unit = ''] = match
  const size = UNITS.get(unit)
  if (size === undefined || (whole === '' && !fraction)) return
  const parts = fraction ? Math.trunc(Number(`0.${fraction}`) * size) : 0
  return BigInt(whole || 0) * BigInt(size) + BigInt(parts)
}

/** Nanoseconds as Go prints a duration: `1h0m0s`, `1.5s`, `300ms`. */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s'
  const sign = nanoseconds < 0n ? '-' : ''
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  return sign + (size < 1_000_000_000n ? small(size) : large(size))
}

function small(size: bigint): string {
  if (size < 1_000n) return `${size}ns`
  if (size < 1_000_000n) return `${decimal(size, 3)}µs`
  return `${decimal(size, 6)}ms`
}

function large(size: bigint): string {
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`
  const minutes = size / 60_000_000_000n
  if (minutes === 0n) return seconds
  const hours = minutes / 60n
  return hours === 0n ? `${minutes}m${seconds}` : `${hours}h${minutes % 60n}m${seconds}`
}

function decimal(size: bigint, places: number): string {
  const digits = size.toString().padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  return digits.slice(0, -places) + (fraction && `.${fraction}`)
}
