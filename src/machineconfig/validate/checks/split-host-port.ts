/** Why Go's `net.SplitHostPort` does not take a text, or undefined when it does. */
export function hostPortProblem(text: string): string | undefined {
  const why = problemOf(text)
  // Go writes nothing between the words when there is no address.
  return why === undefined ? undefined : `${text === '' ? '' : `address ${text}: `}${why}`
}

function problemOf(text: string): string | undefined {
  const colon = text.lastIndexOf(':')
  if (colon < 0) return 'missing port in address'
  const isBracketed = text.startsWith('[')
  const end = isBracketed ? text.indexOf(']') : -1
  const problem = isBracketed ? bracketProblem(text, colon, end) : plainProblem(text, colon)
  if (problem !== undefined) return problem
  if (text.slice(isBracketed ? 1 : 0).includes('[')) return "unexpected '[' in address"
  return text.slice(end + 1).includes(']') ? "unexpected ']' in address" : undefined
}

const plainProblem = (text: string, colon: number): string | undefined =>
  text.slice(0, colon).includes(':') ? 'too many colons in address' : undefined

function bracketProblem(text: string, colon: number, end: number): string | undefined {
  if (end < 0) return "missing ']' in address"
  if (end + 1 === text.length) return 'missing port in address'
  if (end + 1 === colon) return undefined
  return text[end + 1] === ':' ? 'too many colons in address' : 'missing port in address'
}
