import { quoted } from '#apiserver/field-error.ts'

const layout = '2006-01-02T15:04:05Z07:00'

/** The parts of a timestamp as Go reads them, one after the other. */
const parts: readonly (readonly [string, RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d{2}/],
  ['-', /^-/],
  ['02', /^\d{2}/],
  ['T', /^T/],
  ['15', /^\d{2}/],
  [':', /^:/],
  ['04', /^\d{2}/],
  [':', /^:/],
  ['05', /^\d{2}(?:[.,]\d+)?/],
  ['Z07:00', /^(?:Z|[+-]\d{2}:\d{2})/],
]

const ranges: Readonly<Record<string, readonly [number, number, string]>> = {
  '01': [1, 12, 'month'],
  '15': [0, 23, 'hour'],
  '04': [0, 59, 'minute'],
  '05': [0, 59, 'second'],
}

/** What Go says about a text that is no timestamp of RFC 3339. */
export function timeProblem(text: string): string | undefined {
  const said = `parsing time ${quoted(text)}`
  let rest = text
  for (const [part, pattern] of parts) {
    const match = pattern.exec(rest)?.[0]
    if (match === undefined) {
      return `${said} as ${quoted(layout)}: cannot parse ${quoted(rest)} as ${quoted(part)}`
    }
    const range = ranges[part]
    if (range && (Number.parseInt(match, 10) < range[0] || Number.parseInt(match, 10) > range[1])) {
      return `${said}: ${range[2]} out of range`
    }
    rest = rest.slice(match.length)
  }
  if (rest !== '') return `${said}: extra text: ${quoted(rest)}`
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10))
  return exists ? undefined : `${said}: day out of range`
}
