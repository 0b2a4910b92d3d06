/**
 * The rows that `ONLY` names, in the order in which they are listed; all of them if it names none.
 * Throws when there is no row of such a name.
 */
export function selected<Row extends { name: string }>(
  rows: readonly Row[],
  only: string | undefined,
): Row[] {
  const wanted = (only ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const known = rows.map(({ name }) => name)
  const unknown = wanted.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Error(`there is no row ${unknown.join(', ')}; there is ${known.join(', ')}`)
  }
  return rows.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
}
