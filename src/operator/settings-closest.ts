/** The known word that was most likely meant, if one is near. Case, dashes and underscores are no matter. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(word.length / 4))
  const near = known
    .map((candidate) => ({ candidate, away: distance(plain(word), plain(candidate)) }))
    .filter(({ away }) => away <= most)
    .sort((one, other) => one.away - other.away)
  return near[0]?.candidate
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_.\s]/g, '')

/** How many letters have to be put in, taken out or changed to make one word of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, theirs] of [...other].entries()) {
      const changed = (row[column] ?? 0) + (letter === theirs ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
