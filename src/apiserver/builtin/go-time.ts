import { quoted } from '#apiserver/field-error.ts'

/** Thrown for a text that is no time, in Go's words. */
class NotATime extends Error {
  override readonly name = 'NotATime'
}

/** A time to the second, as Kubernetes writes it: in UTC. Throws `NotATime`. */
export const canonicalTime = (text: string): string =>
  CANONICAL.test(text) && isReal(text) ? text : format(text, parse(text, SECONDS), 0)

/** The same to the microsecond. All six digits must be there. */
export const canonicalMicroTime = (text: string): string => format(text, parse(text, MICROS), 6)

/** What Go says about a text that is no time to the second. */
export function timeProblem(text: string): string | undefined {
  try {
    canonicalTime(text)
    return undefined
  } catch (error) {
    if (error instanceof NotATime) return error.message
    throw error
  }
}

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Cheaper than taking it apart, and right: a day that does not exist reads as another. */
const isReal = (text: string): boolean => {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 19))
}

/** A piece of a layout: what it is called in messages, how it looks, which values it may have. */
interface Piece {
  name: string
  pattern: RegExp
  /** What is said if the value is too big, and the biggest. */
  range?: readonly [what: string, most: number]
}

const literal = (name: string): Piece => ({ name, pattern: new RegExp(`^${name}`) })
const ZONE: Piece = { name: 'Z07:00', pattern: /^(?:Z|[+-]\d\d:\d\d)/ }
const DAY_AND_TIME: readonly Piece[] = [
  { name: '2006', pattern: /^\d{4}/ },
  literal('-'),
  { name: '01', pattern: /^\d\d/, range: ['month', 12] },
  literal('-'),
  { name: '02', pattern: /^\d\d/, range: ['day', 31] },
  literal('T'),
  { name: '15', pattern: /^\d\d?/, range: ['hour', 23] },
  literal(':'),
  { name: '04', pattern: /^\d\d/, range: ['minute', 59] },
  literal(':'),
]
const SECOND: Piece = { name: '05', pattern: /^\d\d/, range: ['second', 59] }
/** Go reads a fraction that the layout does not ask for. */
const SECOND_AND_FRACTION: Piece = { ...SECOND, pattern: /^\d\d(?:[.,]\d+)?/ }
const SECONDS = [...DAY_AND_TIME, SECOND_AND_FRACTION, ZONE]
const MICROS = [...DAY_AND_TIME, SECOND, { name: '.000000', pattern: /^[.,]\d{6}/ }, ZONE]

/** The values of the pieces, by name. */
function parse(text: string, pieces: readonly Piece[]): Map<string, string> {
  const values = new Map<string, string>()
  let rest = text
  for (const { name, pattern, range } of pieces) {
    const [found] = pattern.exec(rest) ?? []
    if (found === undefined) throw cannotParse({ text, rest, name }, pieces)
    if (range) checkRange(text, Number.parseInt(found, 10), range)
    values.set(name, found)
    rest = rest.slice(found.length)
  }
  if (rest !== '') throw new NotATime(`parsing time ${quoted(text)}: extra text: ${quoted(rest)}`)
  checkZone(text, values.get('Z07:00') ?? 'Z')
  checkDay(text, values)
  return values
}

function cannotParse(
  { text, rest, name }: { text: string; rest: string; name: string },
  pieces: readonly Piece[],
): NotATime {
  const layout = quoted(pieces.map((piece) => piece.name).join(''))
  return new NotATime(
    `parsing time ${quoted(text)} as ${layout}: cannot parse ${quoted(rest)} as ${quoted(name)}`,
  )
}

const outOfRange = (text: string, what: string): NotATime =>
  new NotATime(`parsing time ${quoted(text)}: ${what} out of range`)

function checkRange(text: string, value: number, [what, most]: readonly [string, number]): void {
  const least = what === 'month' || what === 'day' ? 1 : 0
  if (value < least || value > most) throw outOfRange(text, what)
}

function checkZone(text: string, zone: string): void {
  const [hours = 0, minutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number)
  if (hours > 24) throw outOfRange(text, 'time zone offset hour')
  if (minutes > 60) throw outOfRange(text, 'time zone offset minute')
}

function checkDay(text: string, values: Map<string, string>): void {
  const [year, month, day] = ['2006', '01', '02'].map((name) => Number(values.get(name)))
  const last = new Date(Date.UTC(year ?? 0, month ?? 0, 0))
  if (Number(day) > last.getUTCDate()) throw outOfRange(text, 'day')
}

function format(text: string, values: Map<string, string>, digits: 0 | 6): string {
  const zone = values.get('Z07:00') ?? 'Z'
  const hour = (values.get('15') ?? '').padStart(2, '0')
  const clock = `${hour}${text.slice(text.indexOf(':'), text.indexOf(':') + 6)}`
  const time = new Date(`${text.slice(0, 10)}T${clock}${zone}`)
  const fraction = digits === 0 ? '' : `.${(values.get('.000000') ?? '').slice(1)}`
  return `${time.toISOString().slice(0, 19)}${fraction}Z`
}
