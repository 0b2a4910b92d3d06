const MOST_LETTERS = 4 * 1024
const MOST_LETTERS_OF_ONE = 256

/**
 * Each warning once, as Kubernetes sends it: code 299, no agent, the text in quotes. When they are too much for the
 * head of an answer, each is cut short, and those that are too many are left out.
 */
export function warningLines(warnings: readonly string[]): string[] {
  const all = [...new Set(warnings)].map(printable)
  const isTooMuch = all.reduce((sum, { length }) => sum + length, 0) > MOST_LETTERS
  return (isTooMuch ? cutShort(all) : all).map((text) => `299 - ${JSON.stringify(text)}`)
}

function cutShort(warnings: readonly string[]): string[] {
  const kept: string[] = []
  let letters = 0
  for (const text of warnings) {
    if (letters >= MOST_LETTERS) break
    const cut = text.slice(0, MOST_LETTERS_OF_ONE)
    kept.push(cut)
    letters += cut.length
  }
  return kept
}

/** What a header may hold. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?')
