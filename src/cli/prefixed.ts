import { ConfigError } from '#machineconfig/config-error.ts'
import { FileError } from './key-file.ts'

/** Does it, and says of what it was a part if it is refused. */
export async function prefixed<Result>(
  what: string,
  act: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof FileError)) throw error
    throw new ConfigError(`${what}: ${error.message}`)
  }
}
