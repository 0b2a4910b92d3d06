import { readFile } from 'node:fs/promises'

/** What programs hold in memory, in MB of 10^6 bytes, by what it is. */
export interface MemoryParts {
  /** What nobody else has: heap, stacks and the like. */
  ownMb: number
  /** Pages of files, which the kernel can take back: the program itself and its libraries. */
  fileMb: number
  /** Pages of a database file, as far as they were asked for. */
  databaseMb: number
}

/** What counts: a database file is in the page cache anyway, whoever maps it. */
export const countedMb = ({ ownMb, fileMb }: MemoryParts): number => ownMb + fileMb

/** What a running program holds, but for its database, from what Linux tells of it. */
export const residentOf = async (pid: number): Promise<Resident> =>
  residentIn(await readFile(`/proc/${pid}/status`, 'utf8'))

/** What the kernel counts at no cost: pages of a database file are among those of files. */
export interface Resident {
  ownMb: number
  allFilesMb: number
}

/** The same from the text of `/proc/<pid>/status`. */
export function residentIn(status: string): Resident {
  const megabytes = (field: string) =>
    inMb(Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0))
  return { ownMb: megabytes('RssAnon') + megabytes('RssShmem'), allFilesMb: megabytes('RssFile') }
}

/** How much of its database file a running program has mapped. The kernel counts page by page for it. */
export const databaseMbOf = async (pid: number, file: RegExp): Promise<number> =>
  databaseMbIn(await readFile(`/proc/${pid}/smaps`, 'utf8'), file)

/** The same from the text of `/proc/<pid>/smaps`. */
export function databaseMbIn(smaps: string, file: RegExp): number {
  let kibibytes = 0
  let isMapped = false
  for (const line of smaps.split('\n')) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) isMapped = file.test(line)
    else if (isMapped) kibibytes += Number(/^Rss:\s+(\d+) kB$/.exec(line)?.[1] ?? 0)
  }
  return inMb(kibibytes)
}

const inMb = (kibibytes: number): number => (kibibytes * 1024) / 1e6
