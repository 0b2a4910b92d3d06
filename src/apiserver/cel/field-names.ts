import { isReserved } from '#base/cel/reserved-words.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}
const UNESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries(ESCAPES).map(([plain, escaped]) => [escaped, plain]),
)

/** How a rule names a property; undefined if it cannot. */
export function escapeField(name: string): string | undefined {
  if (isReserved(name)) return `__${name}__`
  if (!/^[A-Za-z_./-][\w./-]*$/.test(name)) return undefined
  return name.replace(/__|[-./]/g, (part) => ESCAPES[part] ?? part)
}

/** The property that a rule names; undefined if none can be meant. */
export function unescapeField(name: string): string | undefined {
  if (!name.includes('__')) return name
  let valid = true
  const plain = name.replace(/_{2}[^_]+_{2}/g, (part) => {
    const word = part.slice(2, -2)
    if (isReserved(word) && part.length === name.length) return word
    const character = UNESCAPES.get(part)
    valid &&= character !== undefined
    return character ?? ''
  })
  return valid ? plain : undefined
}
