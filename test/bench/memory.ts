import { readFile } from 'node:fs/promises'

/** What a program holds in memory, in MB of 10^6 bytes: resident now, and at most so far. */
export interface Memory {
  nowMb: number
  peakMb: number
}

/** The memory of a running program, from what Linux tells of it. */
export const memoryOf = async (pid: number): Promise<Memory> =>
  memoryIn(await readFile(`/proc/${pid}/status`, 'utf8'))

/** The same from the text of `/proc/<pid>/status`. */
export function memoryIn(status: string): Memory {
  const megabytes = (field: string) => {
    const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? []
    if (kibibytes === undefined) throw new Error(`the status of the program has no ${field}`)
    return (Number(kibibytes) * 1024) / 1e6
  }
  return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') }
}
