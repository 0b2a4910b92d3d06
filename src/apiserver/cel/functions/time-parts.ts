import { inZone } from '#apiserver/cel/times.ts'
import { Duration, EvaluationError } from '#apiserver/cel/values.ts'
import { type CelFunction, text, timestamp } from './argument.ts'

const DAY = 86_400_000

const part =
  (read: (moment: Date) => number): CelFunction =>
  ([value, zone]) => {
    const name = zone === undefined ? 'UTC' : text(zone)
    const moment = inZone(timestamp(value), name)
    if (moment === undefined) throw new EvaluationError(`unknown time zone ${name}`)
    return BigInt(read(moment))
  }

/** For durations the whole of them in a unit, for moments what a clock shows. */
const partOrTotal = (nanos: bigint, read: (moment: Date) => number): CelFunction => {
  const ofMoment = part(read)
  return (args) => {
    const [value] = args
    return value instanceof Duration ? value.nanos / nanos : ofMoment(args)
  }
}

const dayOfYear = (moment: Date): number =>
  Math.floor((moment.getTime() - Date.UTC(moment.getUTCFullYear(), 0, 1)) / DAY)

export const TIME_PARTS: Readonly<Record<string, CelFunction>> = {
  getFullYear: part((moment) => moment.getUTCFullYear()),
  getMonth: part((moment) => moment.getUTCMonth()),
  getDate: part((moment) => moment.getUTCDate()),
  getDayOfMonth: part((moment) => moment.getUTCDate() - 1),
  getDayOfWeek: part((moment) => moment.getUTCDay()),
  getDayOfYear: part(dayOfYear),
  getHours: partOrTotal(3_600_000_000_000n, (moment) => moment.getUTCHours()),
  getMinutes: partOrTotal(60_000_000_000n, (moment) => moment.getUTCMinutes()),
  getSeconds: partOrTotal(1_000_000_000n, (moment) => moment.getUTCSeconds()),
  getMilliseconds: partOrTotal(1_000_000n, (moment) => moment.getUTCMilliseconds()),
}
