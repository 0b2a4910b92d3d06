import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const LARGEST = 1024 * 1024
// Without waiting: a pipe in its place would have nobody at its other end.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const FILE = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?\\.yaml$'

const Marker = Type.Object({
  namespace: Type.String(),
  name: Type.String(),
  uid: Type.String(),
  /** Names of files in the same folder, and never of anything else. */
  files: Type.Array(Type.String({ pattern: FILE })),
})

/** Whose a folder of results is, and which files in it were written by us. */
export type Marker = Static<typeof Marker>

export const markerText = (marker: Marker): string => `${JSON.stringify(marker, null, 2)}\n`

/** The marker of a folder; undefined if there is none. Throws if there is something else in its place. */
export async function readMarker(path: string): Promise<Marker | undefined> {
  const text = await textOf(path)
  if (text === undefined) return undefined
  const marker = parsed(text)
  if (!Value.Check(Marker, marker)) {
    throw new Error(`${path} cannot be read: somebody changed it. Remove it, and what is beside it`)
  }
  return marker
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, READ)
    const stats = await file.stat()
    return stats.isFile() && stats.size <= LARGEST ? await file.readFile('utf8') : ''
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
