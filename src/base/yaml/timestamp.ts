// The forms of YAML 1.1 that go-yaml takes: a date, with or without a time of day.
const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))|[ ]+(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/

/** Whether go-yaml takes a text without quotes for a time. */
export function isTimestamp(text: string): boolean {
  if (text.charCodeAt(4) !== 45 || text.length > LONGEST) return false
  const match = TIMESTAMP.exec(text)
  if (!match) return false
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number)
  const [zoneHours = 0, zoneMinutes = 0] = match.slice(7, 9).map((part) => Number(part ?? 0))
  const [hours = 0, minutes = 0, seconds = 0] = timeOfDay(match)
  return (
    isDay(year, month, day) &&
    [hours <= 23, minutes <= 59, seconds <= 59, zoneHours <= 24, zoneMinutes <= 59].every(Boolean)
  )
}

const LONGEST = 64

const timeOfDay = (match: RegExpExecArray): number[] =>
  (match[4] === undefined ? match.slice(9, 12) : match.slice(4, 7)).map((part) => Number(part ?? 0))

const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)

const daysIn = (year: number, month: number): number => {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  if (month === 2) return leap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
