/** The order in which go-yaml writes the keys of a map: as people sort names with numbers in them. */
export function compareKeys(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  let at = 0
  while (at < shorter && one.charCodeAt(at) === other.charCodeAt(at)) at++
  if (at === shorter) return one.length - other.length
  // The halves of a letter beyond the first plane are compared with the whole of it.
  if (isSecondHalf(one.charCodeAt(at))) at--
  return compareFrom(one, other, at)
}

const isSecondHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

function compareFrom(one: string, other: string, at: number): number {
  const [left, right] = [one.codePointAt(at) ?? 0, other.codePointAt(at) ?? 0]
  const [leftLetter, rightLetter] = [isLetter(left), isLetter(right)]
  if (leftLetter && rightLetter) return left - right
  if (leftLetter || rightLetter) return leftLetter === isDigitAt(one, at - 1) ? -1 : 1
  return compareNumbers(one, other, at) || left - right
}

function compareNumbers(one: string, other: string, at: number): number {
  const prefix = (one[at] === '0' || other[at] === '0') && followsNumber(one, at) ? '1' : ''
  const [left, right] = [digitsFrom(one, at), digitsFrom(other, at)]
  const difference = Number(prefix + left || 0) - Number(prefix + right || 0)
  return difference || left.length - right.length
}

function followsNumber(text: string, at: number): boolean {
  for (let before = at - 1; isDigitAt(text, before); before--) if (text[before] !== '0') return true
  return false
}

function digitsFrom(text: string, at: number): string {
  let end = at
  while (isDigitAt(text, end)) end++
  return text.slice(at, end)
}

const isDigitAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

const isLetter = (code: number): boolean =>
  code < 128 ? (code | 32) >= 97 && (code | 32) <= 122 : /\p{L}/u.test(String.fromCodePoint(code))
