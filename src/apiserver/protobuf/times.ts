import type { Fields } from '#apiserver/objects.ts'
import { Malformed } from './wire.ts'

/** A time to the second, as JSON has it; null for Go's zero, which an empty message is too. */
export const timeOf = (fields: Fields): string | null =>
  isZero(fields) ? null : `${written(numberAt(fields, 'seconds'))}Z`

/** The same to the microsecond. */
export function microTimeOf(fields: Fields): string | null {
  if (isZero(fields)) return null
  const micros = Math.trunc(numberAt(fields, 'nanos') / 1000)
  // Nobody keeps a sender from counting more than a second here, or backwards.
  const carried = Math.floor(micros / 1e6)
  const fraction = String(micros - carried * 1e6).padStart(6, '0')
  return `${written(numberAt(fields, 'seconds') + carried)}.${fraction}Z`
}

const isZero = ({ seconds, nanos }: Fields): boolean =>
  (seconds === undefined && nanos === undefined) || (seconds === GO_ZERO && !nanos)

const numberAt = (fields: Fields, key: string): number => Number(fields[key] ?? 0)

// The first second of the year 1.
const GO_ZERO = -62_135_596_800

function written(seconds: number): string {
  const time = new Date(seconds * 1000)
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString()
  if (iso.length === ISO_LENGTH) return iso.slice(0, 19)
  throw new Malformed('Time.MarshalJSON: year outside of range [0,9999]')
}

const ISO_LENGTH = '1970-01-01T00:00:00.000Z'.length
