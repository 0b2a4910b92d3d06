import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

const EXCLUSIVE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
// What is to become a file. One that a crash leaves behind is found by its name when its folder is to go.
const DRAFT = /^\.talos-operator-[0-9a-f]{12}\.tmp$/

export const isDraft = (name: string): boolean => DRAFT.test(name)

/** What of a file system a file is written by. */
export interface Disk {
  open(path: string, flags: number, mode: number): Promise<Draft>
  rename(from: string, to: string): Promise<void>
}

interface Draft {
  writeFile(content: string): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

export const realDisk: Disk = { open, rename }

/** Writes a file as a whole or not at all, also if the power fails. */
export async function replaceFile(
  path: string,
  content: string,
  disk: Disk = realDisk,
): Promise<void> {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const draft = join(path, '..', `.talos-operator-${digest}.tmp`)
  try {
    // A draft that a crash has left behind is of the same content, or of half of it.
    await rm(draft, { force: true })
    const file = await disk.open(draft, EXCLUSIVE, 0o644)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await disk.rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
}
