import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

export const root = new URL('../..', import.meta.url).pathname

// Not ours, or made anew at any time.
const SKIPPED = new Set(['.git', 'node_modules', 'dist', 'coverage', 'hack'])

/** Every file of the repository that the pattern matches, as a path relative to its root. Sorted. */
export async function filesMatching(pattern: RegExp): Promise<string[]> {
  return (await filesIn(root)).filter((path) => pattern.test(path)).sort()
}

/** The text of a file of the repository. */
export const textOf = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries
      .filter(({ name }) => !SKIPPED.has(name))
      .map((entry) => {
        const path = join(folder, entry.name)
        return entry.isDirectory() ? filesIn(path) : [relative(root, path)]
      }),
  )
  return found.flat()
}
