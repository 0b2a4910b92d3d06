import { Duration, Timestamp } from './values.ts'

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
])
const LONGEST = 2n ** 63n - 1n

/** From a text such as `1h30m` or `-1.5s`, as Go writes durations. */
export function durationOf(text: string): Duration | undefined {
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  if (body === '0') return new Duration(0n)
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined
  let nanos = 0n
  for (const [, whole = '', part = '', unit = ''] of body.matchAll(
    /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    const size = UNITS.get(unit) ?? 0n
    nanos += BigInt(whole || 0) * size
    if (part !== '') nanos += (BigInt(part) * size) / 10n ** BigInt(part.length)
  }
  if (nanos > LONGEST) return undefined
  return new Duration(sign === '-' ? -nanos : nanos)
}

const LOOSE: readonly (readonly [RegExp, bigint])[] = [
  [/^(?:ns|nano.*)$/, 1n],
  [/^(?:us|µs|micro.*)$/, 1_000n],
  [/^(?:ms|milli.*)$/, 1_000_000n],
  [/^(?:s|sec.*)$/, 1_000_000_000n],
  [/^(?:m|min.*)$/, 60_000_000_000n],
  [/^(?:h|hr|hour.*)$/, 3_600_000_000_000n],
  [/^(?:d|day.*)$/, 86_400_000_000_000n],
  [/^(?:w|wk|week.*)$/, 604_800_000_000_000n],
]

/** What a field of format `duration` says, where words are allowed too: `3 days`. */
export function looseDurationOf(text: string): Duration | undefined {
  const strict = durationOf(text)
  if (strict !== undefined) return strict
  let nanos: bigint | undefined
  for (const [, count = '', word = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const unit = LOOSE.find(([pattern]) => pattern.test(word.toLowerCase()))
    if (unit !== undefined) nanos = (nanos ?? 0n) + BigInt(count) * unit[1]
  }
  return nanos === undefined ? undefined : new Duration(nanos)
}

/** Whether a number of seconds since 1970 is within the years 1 to 9999. */
export const isMoment = (seconds: bigint): boolean =>
  seconds >= -62_135_596_800n && seconds <= 253_402_300_799n

const RFC3339 = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:[.,](\d+))?([Zz]|[+-]\d\d:\d\d)$/

/** From RFC 3339, and nothing else. */
export function timestampOf(text: string): Timestamp | undefined {
  const match = RFC3339.exec(text)
  if (match === null || text.includes('t') || text.includes('z')) return undefined
  const [, date = '', time = '', fraction = '', zone = ''] = match
  return momentOf(`${date}T${time}`, zone, fraction)
}

function momentOf(local: string, zone: string, fraction: string): Timestamp | undefined {
  const milliseconds = Date.parse(`${local}${zone.toUpperCase()}`)
  // Days that no month has are moved into the next one by JavaScript.
  const day = new Date(`${local.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(milliseconds) || Number.isNaN(day.getTime())) return undefined
  if (day.toISOString().slice(0, 10) !== local.slice(0, 10)) return undefined
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'))
  return new Timestamp(BigInt(milliseconds) * 1_000_000n + nanos, offsetOf(zone))
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? []
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return sign === '-' ? -size : size
}

/** What a field of format `date` says: the beginning of the day. */
export function dateOf(text: string): Timestamp | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? momentOf(`${text}T00:00:00`, 'Z', '') : undefined
}

/** What a field of format `date-time` says. */
export function dateTimeOf(text: string): Timestamp | undefined {
  if (text === '') return new Timestamp(0n)
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:?\d\d)?$/.exec(text)
  if (match === null) return undefined
  const [, date = '', time = '', fraction = '', zone = 'Z'] = match
  const colon = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
  return momentOf(`${date}T${time}`, colon, fraction)
}

/** A duration as `string()` shows it: in seconds. */
export function secondsText({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos
  const fraction = String(size % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const sign = nanos < 0n ? '-' : ''
  return `${sign}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`
}

/** A moment as `string()` shows it: RFC 3339 with as many digits as it takes. */
export function momentText(moment: Timestamp): string {
  const { seconds } = moment
  const fraction = String(moment.nanos - seconds * 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const local = (Number(seconds) + moment.offset * 60) * 1000
  const whole = new Date(local).toISOString().slice(0, 19)
  return `${whole}${fraction === '' ? '' : `.${fraction}`}${zoneText(moment.offset)}`
}

function zoneText(offset: number): string {
  if (offset === 0) return 'Z'
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`
}

/** The moment moved to a time zone, to be read as if in UTC; undefined for a zone that is none. */
export function inZone(moment: Timestamp, zone: string): Date | undefined {
  const milliseconds = Number(moment.nanos / 1_000_000n)
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone)
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3])
    return new Date(milliseconds + (offset[1] === '-' ? -minutes : minutes) * 60_000)
  }
  if (zone === '' || zone === 'UTC') return new Date(milliseconds)
  try {
    return zoned(milliseconds, zone)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function zoned(milliseconds: number, timeZone: string): Date {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = new Map(
    format.formatToParts(milliseconds).map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  const whole = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'))
  const fraction = ((milliseconds % 1000) + 1000) % 1000
  return new Date(whole + part('minute') * 60_000 + part('second') * 1000 + fraction)
}
