import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '#base/operator-error.ts'
import { hasCode, listenAt, listenerAt } from './lock-socket.ts'

// A socket address is 108 bytes on Linux and 104 elsewhere, its end included.
const MAX_SOCKET_PATH = 100
const LONGEST_NAME = 24
// Each turn that is lost is one that somebody else has won.
const MOST_TURNS = 100

/**
 * Takes a directory for this process, until it is disposed of or the process ends, however it ends.
 * Throws a sentence that says who has it.
 *
 * The lock is a socket that listens: the kernel takes it back from whoever dies, which no file can
 * promise, and it tells a living holder in another container from a dead one whose process number is
 * taken again. Locks are numbered, and no number is given away twice: each is a link to a socket that
 * listens already, made by one of those who found that nobody listens at the number before. The newest
 * is never removed, not even by who lets go of it, so nobody can take a number that was passed without
 * seeing that it was. The file `lock` beside them is for people: it says who it is.
 */
export async function lockDirectory(directory: string): Promise<AsyncDisposable> {
  const place = placeOf(directory)
  const words = `process ${process.pid} on ${hostname()}`
  const entrance = `lock.${randomBytes(6).toString('hex')}.new`
  const server = await listenAt(place.address(entrance), words).catch((error: unknown) => {
    place.close()
    throw new Error(`cannot lock ${directory}: ${messageOf(error)}`, { cause: error })
  })
  const letGo = async () => {
    server.close()
    await once(server, 'close')
    place.close()
  }
  const note = join(directory, 'lock')
  try {
    const own = await take(place, entrance)
    await rm(join(directory, entrance), { force: true })
    await tidy(place, own)
    await rm(note, { force: true })
    await writeFile(note, `${words}\n`, { mode: 0o600 })
  } catch (error) {
    await letGo()
    throw error
  }
  return {
    [Symbol.asyncDispose]: async () => {
      await rm(note, { force: true })
      await letGo()
    },
  }
}

interface Place {
  directory: string
  /** By which a socket in it is reached: paths may be too long for that. */
  address(name: string): string
  close(): void
}

function placeOf(directory: string): Place {
  if (Buffer.byteLength(directory) + 1 + LONGEST_NAME <= MAX_SOCKET_PATH) {
    return { directory, address: (name) => join(directory, name), close: () => {} }
  }
  // The same socket by a shorter name, which Linux has for every open directory.
  const descriptor = openSync(directory, 'r')
  return {
    directory,
    address: (name) => `/proc/self/fd/${descriptor}/${name}`,
    close: () => closeSync(descriptor),
  }
}

/** Takes the next number, unless somebody has the newest one. */
async function take(place: Place, entrance: string): Promise<number> {
  const { directory } = place
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const newest = await newestIn(directory)
    const holder = await listenerAt(place.address(nameOf(newest)))
    // A process that is about to be another one has what its parent had, for a moment: nobody answers there.
    if (holder?.hasHungUp && turn < MOST_TURNS - 1) continue
    if (holder) throw new Error(await heldSentence(directory, holder.words))
    const own = newest + 1
    if (!(await hasLinked(directory, entrance, nameOf(own)))) continue
    if ((await newestIn(directory)) === own) return own
    // The number was given away and removed before: whoever has a later one has the directory.
    await rm(join(directory, nameOf(own)), { force: true })
  }
  throw new Error(`${directory} is wanted by too many processes at once`)
}

const nameOf = (number: number): string => `lock.${number}.sock`

const numberOf = (name: string): number => Number(/^lock\.(\d{1,15})\.sock$/.exec(name)?.[1] ?? 0)

/** The newest number that was given away; 0 if none was. */
const newestIn = async (directory: string): Promise<number> =>
  Math.max(0, ...(await readdir(directory)).map(numberOf))

/** False if the name is taken. */
async function hasLinked(directory: string, from: string, to: string): Promise<boolean> {
  try {
    await link(join(directory, from), join(directory, to))
    return true
  } catch (error) {
    // Without an entrance there is somebody who has just tidied up.
    if (hasCode(error, 'EEXIST') || hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Removes what those before have left. */
async function tidy(place: Place, own: number): Promise<void> {
  for (const name of await readdir(place.directory)) {
    const number = numberOf(name)
    const isOld = number > 0 && number < own
    if (isOld || (await isDeadEntrance(place, name))) {
      await rm(join(place.directory, name), { force: true })
    }
  }
}

const isDeadEntrance = async (place: Place, name: string): Promise<boolean> =>
  /^lock\.[0-9a-f]{12}\.new$/.test(name) && (await listenerAt(place.address(name))) === undefined

async function heldSentence(directory: string, said: string): Promise<string> {
  const holder = said || (await readFile(join(directory, 'lock'), 'utf8').catch(() => ''))
  return `${directory} is in use by ${holder.trim() || 'another process'}: only one can have it`
}
