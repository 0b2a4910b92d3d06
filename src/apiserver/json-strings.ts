/** How deep a JSON text may be nested. Kubernetes stops at 10,000; this is far beyond any object, and within the stack of all who walk one. */
export const LEVELS = 1000

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

export const isOpening = (letter: number): boolean => letter === OPEN_OBJECT || letter === OPEN_LIST

export const isClosing = (letter: number): boolean =>
  letter === CLOSE_OBJECT || letter === CLOSE_LIST

/** What Go says of a text in which a bracket opens one level too many, if one does. */
export function depthProblemIn(text: string): string | undefined {
  // Each level takes two characters at least.
  if (text.length <= 2 * LEVELS) return undefined
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE) at = endOfString(text, at)
    else if (isClosing(letter)) depth--
    else if (isOpening(letter) && ++depth > LEVELS) return tooDeep(text.charAt(at))
  }
  return undefined
}

/** What Go says of the bracket that opens one level too many. */
export const tooDeep = (bracket: string): string =>
  `invalid character '${bracket}' exceeded max depth`

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

/** Where the comma or the bracket is that ends a member of a map or a list, which begins at `from`. */
export function endOfMember(text: string, from: number): number {
  const walk = { at: from, depth: 0 }
  passMember(text, walk, Number.POSITIVE_INFINITY)
  return walk.at
}

/** How far a member has been walked: a place, and how many brackets are open there. */
interface Walk {
  at: number
  depth: number
}

/** Walks on to the comma or the bracket that ends a member, or about so many letters. Returns whether it is there. */
export function passMember(text: string, walk: Walk, letters: number): boolean {
  const stop = Math.min(walk.at + letters, text.length)
  let { at, depth } = walk
  for (; at < stop; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE) at = endOfString(text, at)
    else if (isOpening(letter)) depth++
    else if (depth === 0 && (letter === COMMA || isClosing(letter))) break
    else if (isClosing(letter)) depth--
  }
  walk.at = Math.min(at, text.length)
  walk.depth = depth
  return at < stop || at >= text.length
}
