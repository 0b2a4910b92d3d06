import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#base/log.ts'
import { Secret } from '#base/secret.ts'

/** Where keys and certificates are kept, by file name. */
export interface KeyFiles {
  read(name: string): Promise<Secret<string> | undefined>
  /** Afterwards the file is there as a whole, or as it was before, whatever ends the process. */
  write(name: string, text: Secret<string>): Promise<void>
}

/** Keeps nothing beyond the process. */
export function filesInMemory(): KeyFiles {
  const files = new Map<string, Secret<string>>()
  return {
    read: async (name) => files.get(name),
    write: async (name, text) => void files.set(name, text),
  }
}

/** A folder that only its owner can look into, and files that only their owner can read. */
export async function filesInFolder(folder: string, log: Log): Promise<KeyFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await closeToOthers({ path: folder, mode: 0o700, log })
  return {
    read: async (name) => {
      const path = join(folder, name)
      await closeToOthers({ path, mode: 0o600, log })
      const text = await readFile(path, 'utf8').catch(ifMissing)
      return text === undefined ? undefined : new Secret(text)
    },
    write: (name, text) => writePrivately(join(folder, name), text),
  }
}

/** Puts a file in place that only its owner can read: the whole of it or nothing, and durably. */
export async function writePrivately(path: string, text: Secret<string>): Promise<void> {
  const unfinished = `${path}.new`
  // What a crash left there may be open to others, and a link to elsewhere must not be followed.
  await rm(unfinished, { force: true })
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(text.open())
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  await syncFolder(join(path, '..'))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

interface Place {
  path: string
  mode: number
  log: Log
}

async function closeToOthers({ path, mode, log }: Place): Promise<void> {
  const found = await stat(path).catch(ifMissing)
  if (!found || (found.mode & 0o077) === 0) return
  await chmod(path, mode)
  log.warn('others could read private files, and no longer can', { path })
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
