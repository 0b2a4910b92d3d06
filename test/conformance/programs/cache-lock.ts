import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const UNKNOWN_START = '0'

export interface LockOptions {
  /** Called once for each holder that is waited for. */
  onWait: (holderPid: number) => void
  /** Ends the waiting with an error. */
  signal?: AbortSignal | undefined
}

/**
 * Runs the work while no other process, and no other call in this one, holds the folder's lock.
 * A holder that died without letting go is passed over. Processes must see each other's ids: over
 * containers that share a folder the lock excludes nobody.
 */
export async function withLock<T>(
  folder: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true })
  const own = await describeProcess(process.pid)
  const claim = `${process.pid}.${own?.start ?? UNKNOWN_START}.${randomUUID()}`

  try {
    await acquire(folder, claim, options)
    return await work()
  } finally {
    await rm(join(folder, claim), { force: true })
  }
}

/**
 * Each contender has a file of its own, so that clearing away a dead one's can never hit the file of
 * a living one, as it could were there a single file to take over. Writing first and looking after
 * means that of two contenders at least one sees the other: never do both go on.
 */
async function acquire(folder: string, claim: string, options: LockOptions): Promise<void> {
  let announced: number | undefined
  for (;;) {
    const holder = (await livingHolder(folder, claim)) ?? (await tryClaim(folder, claim))
    if (holder === undefined) return
    if (holder !== announced) options.onWait(holder)
    announced = holder
    // Unequal pauses, or two that step back for each other would do so for ever.
    await pause(100 + Math.random() * 200, undefined, { signal: options.signal })
  }
}

/** Answers undefined when the lock is ours, and otherwise who is in the way. */
async function tryClaim(folder: string, claim: string): Promise<number | undefined> {
  await writeFile(join(folder, claim), '')
  const other = await livingHolder(folder, claim)
  if (other !== undefined) await rm(join(folder, claim), { force: true })
  return other
}

async function livingHolder(folder: string, own: string): Promise<number | undefined> {
  for (const claim of await readdir(folder)) {
    if (claim === own) continue
    const [pid = '', start = UNKNOWN_START] = claim.split('.')
    if (await isAlive(Number(pid), start)) return Number(pid)
    await rm(join(folder, claim), { force: true })
  }
  return undefined
}

async function isAlive(pid: number, start: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0 || !isRunning(pid)) return false
  const found = await describeProcess(pid)
  if (found === undefined) return true
  // A zombie builds nothing, and another start time means that the id was given to somebody else.
  return !found.isZombie && (start === UNKNOWN_START || start === found.start)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Not being allowed to signal it proves that it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Answers undefined where there is no /proc: then the process id alone must do. */
async function describeProcess(
  pid: number,
): Promise<{ isZombie: boolean; start: string } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name and may itself contain spaces and brackets.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const start = rest[18]
  return start === undefined ? undefined : { isZombie: state === 'Z', start }
}
