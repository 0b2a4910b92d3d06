/**
 * Below zero when `one` comes first: character by character, but that digits in a row are a number, so `sda2` comes
 * before `sda10`. Not what `localeCompare` is for, which has Node load the rules of all languages, 3 MB.
 */
export function naturalOrder(one: string, other: string): number {
  const [parts, others] = [partsOf(one), partsOf(other)]
  const at = parts.findIndex((part, index) => part !== others[index])
  if (at < 0) return parts.length - others.length
  const [mine, theirs] = [parts[at] ?? '', others[at] ?? '']
  const difference = isNumber(mine) && isNumber(theirs) ? Number(mine) - Number(theirs) : 0
  return difference || (mine < theirs ? -1 : 1)
}

const partsOf = (text: string): string[] => text.match(/\d+|\D+/g) ?? []

const isNumber = (part: string): boolean => /^\d/.test(part)
