import { gzipSync } from 'node:zlib'
import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { chunks } from '#simulator/services/chunks.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import { tarEnd, tarEntry } from '#simulator/services/tar-entry.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { type FoundFile, filesOf } from './file-tree.ts'

/** The files of a machine: the few that clients read. */
export const files: Answers<typeof MachineService> = {
  read: function* ({ path }, { machine }) {
    yield* chunks(machine.readFile(path))
  },
  copy: function* ({ rootPath }, { machine, wallClock }) {
    const parts = below(machine, rootPath).map((path) =>
      tarEntry({ name: path.slice(1), content: machine.readFile(path), at: wallClock.now() }),
    )
    yield* chunks(gzipSync(Buffer.concat([...parts, tarEnd])))
  },
  list: function* ({ root, recurse, recursionDepth }, { machine }) {
    const top = absolute(root)
    const deepest = recurse ? recursionDepth || Infinity : 1
    const found = filesOf(machine).filter(({ path }) => depthBelow(top, path) <= deepest)
    if (found.length === 0) throw missing(top)
    for (const { path, isFolder, bytes } of found) {
      yield {
        name: path,
        relativeName: relative(top, path),
        size: BigInt(bytes),
        mode: isFolder ? FOLDER_MODE : FILE_MODE,
        isDir: isFolder,
      }
    }
  },
  diskUsage: function* ({ paths, all, recursionDepth, threshold }, { machine }) {
    const top = absolute(paths[0] ?? '/')
    const deepest = recursionDepth || Infinity
    const isShown = ({ path, isFolder, bytes }: FoundFile) => {
      const depth = depthBelow(top, path)
      return (isFolder || all) && (depth === 0 || depth < deepest) && BigInt(bytes) >= threshold
    }
    for (const { path, bytes } of filesOf(machine).filter(isShown)) {
      yield { name: path, relativeName: relative(top, path), size: BigInt(bytes) }
    }
  },
}

// The bits of Go's FileMode: a folder is the highest.
const FOLDER_MODE = 0x8000_01ed
const FILE_MODE = 0o644

function absolute(path: string): string {
  const trimmed = `/${path}`.replaceAll(/\/+/g, '/').replace(/\/$/, '')
  return trimmed === '' ? '/' : trimmed
}

function below(machine: Machine, root: string): readonly string[] {
  if (!root.startsWith('/')) throw new Refusal('Unknown', `path is not absolute ${root}`)
  const top = absolute(root)
  const found = filesOf(machine).filter(
    ({ path, isFolder }) => !isFolder && depthBelow(top, path) < Infinity,
  )
  if (found.length === 0) throw missing(top)
  return found.map(({ path }) => path)
}

const relative = (top: string, path: string): string =>
  path === top ? '.' : path.slice(top === '/' ? 1 : top.length + 1)

const missing = (path: string) =>
  new Refusal('NotFound', `lstat ${path}: no such file or directory`)

/** How far a path is below another; 0 for itself, Infinity if it is not. */
function depthBelow(top: string, path: string): number {
  if (path === top) return 0
  const prefix = top === '/' ? '/' : `${top}/`
  return path.startsWith(prefix) ? path.slice(prefix.length).split('/').length : Infinity
}
