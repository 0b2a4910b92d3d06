interface Part {
  least: number
  most: number
  names?: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const parts: readonly Part[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]

const named = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']

/** Why a schedule of a cron job is none, if it is none. */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule.startsWith('@'))
    return named.includes(schedule) || /^@every \S+$/.test(schedule)
      ? undefined
      : `unrecognized descriptor: ${schedule}`
  const fields = schedule.split(/\s+/).filter(Boolean)
  if (fields.length !== parts.length)
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`
  for (const [index, part] of parts.entries())
    for (const range of (fields[index] ?? '').split(',')) {
      const problem = rangeProblem(range, part)
      if (problem) return problem
    }
  return undefined
}

function rangeProblem(range: string, part: Part): string | undefined {
  const [span = ''] = range.split('/')
  const problem = stepProblem(range)
  return problem || span === '*' || span === '?' ? problem : spanProblem(span, range, part)
}

function stepProblem(range: string): string | undefined {
  const [, step, ...rest] = range.split('/')
  if (rest.length > 0) return `too many slashes: ${range}`
  if (step !== undefined && !/^[0-9]+$/.test(step))
    return `failed to parse int from ${step}: ${step}`
  if (step !== undefined && Number(step) === 0)
    return `step of range should be a positive number: ${range}`
  return undefined
}

function spanProblem(span: string, range: string, part: Part): string | undefined {
  const [from = '', to = from, ...more] = span.split('-')
  if (more.length > 0) return `too many hyphens: ${range}`
  const [first, last] = [numberOf(from, part), numberOf(to, part)]
  if (Number.isNaN(first)) return `failed to parse int from ${from}: ${from}`
  if (Number.isNaN(last)) return `failed to parse int from ${to}: ${to}`
  if (first < part.least)
    return `beginning of range (${first}) below minimum (${part.least}): ${range}`
  if (last > part.most) return `end of range (${last}) above maximum (${part.most}): ${range}`
  return first > last
    ? `beginning of range (${first}) beyond end of range (${last}): ${range}`
    : undefined
}

function numberOf(text: string, { least, names = [] }: Part): number {
  const named = names.indexOf(text.toLowerCase())
  if (named >= 0) return named + least
  return /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
}
