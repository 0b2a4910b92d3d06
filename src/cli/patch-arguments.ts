import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import type { Patch } from '#machineconfig/patch/patch.ts'
import { readText } from './key-file.ts'

/**
 * Patches as they are given on the command line: `@file`, the text itself, or the name of a file, as
 * which everything counts that could be no patch. Errors call them by flag and place, or by file.
 */
export const loadPatches = (flag: string, given: readonly string[] = []): Promise<Patch[]> =>
  Promise.all(
    given.map(async (text, at) => {
      const file = fileIn(text)
      return file === undefined
        ? loadPatch({ name: `${flag}[${at}]`, text })
        : loadPatch({ name: `@${file}`, text: await readText(file) })
    }),
  )

function fileIn(text: string): string | undefined {
  if (text.startsWith('@')) return text.slice(1)
  return /[\n ]|^[[{]/.test(text) ? undefined : text
}
