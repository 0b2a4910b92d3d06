import { homedir } from 'node:os'

/**
 * Where kubectl keeps its configuration. In a container the user may be nobody that the system knows, and HOME may not be
 * set: that one has the root for a home, as container runtimes have it.
 */
export function homeFolder(ask: () => string = homedir): string {
  try {
    return ask()
  } catch {
    return '/'
  }
}
