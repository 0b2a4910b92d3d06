import { posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Refusal } from '#simulator/refusal.ts'
import { chunks } from '#simulator/services/chunks.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import { tarEnd, tarEntry } from '#simulator/services/tar-entry.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { depthBelow, type FoundFile, filesBelow } from './file-tree.ts'

/** The files of a machine: the few that clients read. */
export const files: Answers<typeof MachineService> = {
  read: async function* ({ path }, { machine }) {
    yield* chunks(await machine.readFile(path))
  },
  copy: async function* ({ rootPath }, { machine, wallClock }) {
    if (!rootPath.startsWith('/')) {
      throw new Refusal('Unknown', `path is not absolute ${posix.normalize(rootPath)}`)
    }
    const top = absolute(rootPath)
    const found = await filesBelow(machine, top)
    if (found.length === 0) {
      // Talos has begun to send by then, and says it in the stream.
      yield { metadata: { error: missing(top) } }
      return
    }
    const at = wallClock.now()
    const entries = found
      .filter(({ path, content }) => path !== top || content)
      .map(({ path, content }) => tarEntry({ name: nameIn(top, path), content, at }))
    yield* chunks(gzipSync(Buffer.concat([...entries, tarEnd])))
  },
  list: async function* ({ root, recurse, recursionDepth }, { machine }) {
    const top = absolute(root)
    const deepest = recurse ? recursionDepth || Infinity : 1
    const all = await filesBelow(machine, top)
    if (all.length === 0) throw new Refusal('Unknown', missing(top))
    for (const file of all.filter(({ path }) => depthBelow(top, path) <= deepest)) {
      yield {
        name: file.path,
        relativeName: relative(top, file.path),
        size: BigInt(bytesOf(file)),
        mode: file.content ? FILE_MODE : FOLDER_MODE,
        isDir: !file.content,
      }
    }
  },
  diskUsage: async function* ({ paths, all, recursionDepth, threshold }, { machine }) {
    const top = absolute(paths[0] ?? '/')
    const deepest = recursionDepth || Infinity
    const isShown = (file: FoundFile) => {
      const depth = depthBelow(top, file.path)
      const isTold = !file.content || all
      return isTold && (depth === 0 || depth < deepest) && BigInt(bytesOf(file)) >= threshold
    }
    for (const file of (await filesBelow(machine, top)).filter(isShown)) {
      yield {
        name: file.path,
        relativeName: relative(top, file.path),
        size: BigInt(bytesOf(file)),
      }
    }
  },
}

// The bits of Go's FileMode: a folder is the highest.
const FOLDER_MODE = 0x8000_01ed
const FILE_MODE = 0o644
const FOLDER_BYTES = 4096

const bytesOf = ({ content }: FoundFile): number => content?.length ?? FOLDER_BYTES

function absolute(path: string): string {
  const trimmed = `/${path}`.replaceAll(/\/+/g, '/').replace(/\/$/, '')
  return trimmed === '' ? '/' : trimmed
}

const relative = (top: string, path: string): string =>
  path === top ? '.' : path.slice(top === '/' ? 1 : top.length + 1)

/** A file that is asked for by its own path is in the archive by its name alone. */
const nameIn = (top: string, path: string): string =>
  path === top ? posix.basename(path) : relative(top, path)

const missing = (path: string): string => `lstat ${path}: no such file or directory`
