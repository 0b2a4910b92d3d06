import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** The paths of all files in a folder and in those within it; none if it is not there. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}
