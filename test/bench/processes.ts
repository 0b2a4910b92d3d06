import { readdir, readFile } from 'node:fs/promises'

/** The clock ticks that Linux counts a program's time in, per second; the same on all that we know. */
const TICKS = 100

interface Stat {
  name: string
  group: number
  cpuSeconds: number
}

/** What `/proc/<pid>/stat` says. The name in it may have spaces and parentheses of its own. */
export function statIn(text: string): Stat {
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    group: Number(fields[2]),
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS,
  }
}

/** How long programs were at work since they started, all together. */
export async function cpuSecondsOf(pids: readonly number[]): Promise<number> {
  const stats = await Promise.all(pids.map(readStat))
  return stats.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
}

/** The programs of a name in process groups. */
export async function pidsIn(
  groups: readonly number[],
  names: readonly string[],
): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readStat(pid).catch(() => undefined) // ended just then
      return stat && groups.includes(stat.group) && names.includes(stat.name) ? [pid] : []
    }),
  )
  return found.flat()
}

const readStat = async (pid: number): Promise<Stat> =>
  statIn(await readFile(`/proc/${pid}/stat`, 'utf8'))
