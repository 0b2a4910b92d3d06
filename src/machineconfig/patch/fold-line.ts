const WIDEST = 80

/**
 * A scalar that begins at a column, broken at single spaces as Go's older YAML library does: at the
 * first one beyond column 80. What is in double quotes stays on one line.
 */
export function foldLine(scalar: string, pad: string, column: number): string {
  if (scalar.length + column <= WIDEST || scalar.startsWith('"')) return scalar
  const lines: string[] = []
  let begun = 0
  let room = WIDEST - column
  for (let end = endOfLine(scalar, 0, room); end !== -1; end = endOfLine(scalar, begun, room)) {
    lines.push(scalar.slice(begun, end))
    begun = end + 1
    room = WIDEST - pad.length
  }
  lines.push(scalar.slice(begun))
  return lines.join(`\n${pad}`)
}

/** Where the first single space is that has more letters than there is room for before it. */
function endOfLine(scalar: string, from: number, room: number): number {
  let [counted, letters] = [from, 0]
  // A letter takes one place or two: no space before this one has enough of them.
  let space = scalar.indexOf(' ', from + Math.max(room + 1, 0))
  while (space !== -1) {
    letters += lettersIn(scalar, counted, space)
    counted = space
    if (letters > room && isSingle(scalar, space)) return space
    space = scalar.indexOf(' ', space + 1)
  }
  return -1
}

const isSingle = (scalar: string, at: number): boolean =>
  at > 0 && at + 1 < scalar.length && scalar[at - 1] !== ' ' && scalar[at + 1] !== ' '

/** The second half of a letter that takes two is not counted. */
function lettersIn(text: string, from: number, to: number): number {
  let letters = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code < 0xdc00 || code > 0xdfff) letters++
  }
  return letters
}
