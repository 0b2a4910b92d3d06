import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'

/** A file or a folder of a machine. */
export interface FoundFile {
  readonly path: string
  readonly isFolder: boolean
  readonly bytes: number
}

// What a machine of any version has; whether it has it now is for the machine to say.
const KNOWN = [
  ...['/etc/hostname', '/etc/hosts', '/etc/os-release', '/etc/resolv.conf'],
  ...['/proc/cmdline', '/proc/cpuinfo', '/proc/meminfo', '/proc/mounts', '/proc/uptime'],
  ...['/proc/sys/kernel/hostname', '/proc/sys/kernel/random/boot_id', '/proc/version'],
  ...['/system/state/config.yaml', '/usr/local/etc/containers/apid.yaml'],
]

const FOLDER_BYTES = 4096

/** The files that a machine can be read, and the folders that they are in, by their paths. */
export function filesOf(machine: Machine): readonly FoundFile[] {
  const files = KNOWN.flatMap((path): FoundFile[] => {
    const bytes = sizeOf(machine, path)
    return bytes === undefined ? [] : [{ path, isFolder: false, bytes }]
  })
  const folders = new Set(['/', ...files.flatMap(({ path }) => foldersAbove(path))])
  const all = [
    ...files,
    ...[...folders].map((path) => ({ path, isFolder: true, bytes: FOLDER_BYTES })),
  ]
  return all.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
}

function sizeOf(machine: Machine, path: string): number | undefined {
  try {
    return machine.readFile(path).length
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
