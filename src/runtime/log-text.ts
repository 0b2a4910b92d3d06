// What a terminal would obey instead of showing it.
const CONTROL = /\p{Cc}/u
const NEEDS_QUOTES = /[\s"=]|\p{Cc}|^$/u

const WIDEST_LEVEL = 5

/** A line of JSON as people like to read it: `12:03:04 INFO  step done  controller=… name=…`. */
export function textLine(json: string): string {
  const parsed: unknown = JSON.parse(json)
  const fields = new Map<string, unknown>(Object.entries(Object(parsed)))
  const take = (name: string): string => {
    const value = String(fields.get(name) ?? '')
    fields.delete(name)
    return value
  }
  const time = take('timestamp').slice('2030-01-01T'.length, -'Z'.length)
  const level = take('level').toUpperCase().padEnd(WIDEST_LEVEL)
  const head = `${time} ${level} ${shownText(take('message'), CONTROL)}`
  const stack = take('errorStack')
  const rest = [...fields].map(([name, value]) => `${name}=${shown(value)}`).join(' ')
  const below = stack.split('\n').map((line) => `\n    ${shownText(line, CONTROL)}`)
  return `${head}${rest && `  ${rest}`}${stack && below.join('')}\n`
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? shownText(value, NEEDS_QUOTES) : JSON.stringify(value)

const shownText = (text: string, quoteIf: RegExp): string =>
  quoteIf.test(text) ? JSON.stringify(text) : text
