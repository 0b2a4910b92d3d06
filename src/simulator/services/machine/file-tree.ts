import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'

/** A file or a folder of a machine. */
export interface FoundFile {
  readonly path: string
  /** Undefined: it is a folder. */
  readonly content: Uint8Array | undefined
}

// What a machine of any version has; whether it has it now is for the machine to say.
const KNOWN = [
  ...['/etc/hostname', '/etc/hosts', '/etc/os-release', '/etc/resolv.conf'],
  ...['/proc/cmdline', '/proc/cpuinfo', '/proc/meminfo', '/proc/mounts', '/proc/uptime'],
  ...['/proc/sys/kernel/hostname', '/proc/sys/kernel/random/boot_id', '/proc/version'],
  ...['/system/state/config.yaml', '/usr/local/etc/containers/apid.yaml'],
  '/var/lib/etcd/member/snap/db',
]

/** A path and all that is below it, as far as a machine has it, in the order of their paths. */
export async function filesBelow(machine: Machine, top: string): Promise<readonly FoundFile[]> {
  const files: FoundFile[] = []
  for (const path of KNOWN.filter((one) => depthBelow(top, one) < Infinity)) {
    const content = await contentOf(machine, path)
    if (content) files.push({ path, content })
  }
  const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)))
  const shown = [...folders].filter((path) => depthBelow(top, path) < Infinity)
  const all = [...files, ...shown.map((path) => ({ path, content: undefined }))]
  return all.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** How far a path is below another; 0 for itself, Infinity if it is not. */
export function depthBelow(top: string, path: string): number {
  if (path === top) return 0
  const prefix = top === '/' ? '/' : `${top}/`
  return path.startsWith(prefix) ? path.slice(prefix.length).split('/').length : Infinity
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(1, -1)
  return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)]
}

async function contentOf(machine: Machine, path: string): Promise<Uint8Array | undefined> {
  try {
    return await machine.readFile(path)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
