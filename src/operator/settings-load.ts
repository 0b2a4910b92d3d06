import { messageOf } from '#base/operator-error.ts'
import { readSmallFile } from '#kube/followed-files.ts'
import { readSettings, type Settings } from './settings.ts'
import { type SettingsFile, type Sources, textOf } from './settings-sources.ts'

const LARGEST_BYTES = 1024 * 1024
const FILE_IS_NAMED_BY = ['--config', 'TALOS_OPERATOR_CONFIG']

/** Reads the file that `--config` or TALOS_OPERATOR_CONFIG names, if any, and then the settings. */
export async function loadSettings(
  given: Omit<Sources, 'file'>,
  signal: AbortSignal,
): Promise<Settings> {
  const where = FILE_IS_NAMED_BY.find((name) => textOf(name, given) !== undefined)
  const path = where && textOf(where, given)
  return readSettings({ ...given, file: path ? await read({ path, where }, signal) : undefined })
}

async function read(
  { path, where }: { path: string; where: string },
  signal: AbortSignal,
): Promise<SettingsFile> {
  const unreadable = (why: string): SettingsFile => ({
    path,
    unreadable: `${where} is ${JSON.stringify(path)}: ${why}. Give the path of a readable file.`,
  })
  try {
    const text = await readSmallFile(path, { mostBytes: LARGEST_BYTES, signal })
    return text === undefined ? unreadable('there is no such file') : { path, text }
  } catch (error) {
    signal.throwIfAborted()
    return unreadable(messageOf(error))
  }
}
