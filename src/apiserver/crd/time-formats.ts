const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A full date of RFC 3339 that exists. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const last = month === 2 && !isLeap ? 28 : (days[month - 1] ?? 0)
  return day >= 1 && day <= last
}

/** As Kubernetes itself writes times, but for the last days of months. */
const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/

/** As Kubernetes reads `date-time`: a zone is demanded, and 24:00 and leap seconds are refused. */
export function isDateTime(text: string): boolean {
  if (usual.test(text)) return true
  const [date = '', time] = text.toLowerCase().split('t')
  if (time === undefined || !isDate(date)) return false
  const match = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/u.exec(time)
  if (!match) return false
  const [, hours = '', minutes = '', seconds = ''] = match
  return hours <= '23' && minutes <= '59' && seconds <= '59'
}

const goDuration = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/
const prefixes = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week']
const units = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'])

/** A duration of Go, or any text with a number and a unit, such as `2 weeks`. */
export function isDuration(text: string): boolean {
  if (goDuration.test(text)) return true
  return [...text.matchAll(/(?<!\d)\d+\s*([A-Za-zµ]+)/g)].some(([, word = '']) => {
    const unit = word.toLowerCase()
    return units.has(unit) || prefixes.some((prefix) => unit.startsWith(prefix))
  })
}
