import { patchText } from '#machineconfig/patch/apply-patches.ts'
import { readText, writeKeyFile } from './key-file.ts'
import type { Output } from './output.ts'
import { loadPatches } from './patch-arguments.ts'

/** What `machineconfig patch` is told. */
export interface PatchFlags {
  readonly patch?: readonly string[]
  readonly output?: string
}

/** Does what `machineconfig patch` was told. */
export async function patchFile(file: string, flags: PatchFlags, { out }: Output): Promise<void> {
  const { output: path = '-' } = flags
  const original = await readText(file)
  const text = patchText(original, await loadPatches('--patch', flags.patch))
  if (path === '-' || path === '') return out(`${text}\n`)
  await writeKeyFile({ path, text, force: true, withFolders: true })
}
