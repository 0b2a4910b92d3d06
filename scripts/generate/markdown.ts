/** The lines of a table, and an empty one that ends it. */
export const table = (head: string[], rows: string[][]): string[] => [
  row(head),
  row(head.map(() => '---')),
  ...rows.map(row),
  '',
]

const row = (cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

export const code = (text: string): string => `\`${text}\``
