// Kubernetes stops at 10,000. This is far beyond any object, and within the stack of all who walk one.
const DEEPEST = 1000

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The value of a JSON text. Throws if it is none, or nested deeper than anything here can follow. */
export function parseJson(text: string): unknown {
  const problem = depthProblemIn(text)
  if (problem !== undefined) throw new Error(problem)
  const value: unknown = JSON.parse(text)
  return value
}

/** What Go says of a text in which a bracket opens one level too many, if one does. */
export function depthProblemIn(text: string): string | undefined {
  // Each level takes two characters at least.
  if (text.length <= 2 * DEEPEST) return undefined
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE) at = endOfString(text, at)
    else if (letter === CLOSE_OBJECT || letter === CLOSE_LIST) depth--
    else if ((letter === OPEN_OBJECT || letter === OPEN_LIST) && ++depth > DEEPEST)
      return `invalid character '${text[at]}' exceeded max depth`
  }
  return undefined
}

/** The index of the quote that ends the string that begins at `start`. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (quote - first) % 2 === 1
}
