import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'

// A socket address is 108 bytes on Linux and 104 elsewhere, its end included.
const MAX_SOCKET_PATH = 100

/**
 * Takes a directory for this process, until it is disposed of or the process ends, however it ends.
 * Throws a sentence that says who has it.
 *
 * The lock is a socket that listens: the kernel takes it back from whoever dies, which no file can
 * promise, and it tells a living holder in another container from a dead one whose process number is
 * taken again. The file `lock` beside it is for people: it says who it is.
 */
export async function lockDirectory(directory: string): Promise<AsyncDisposable> {
  const address = socketAddress(directory)
  const server = await listen(address.path, directory).catch((error: unknown) => {
    address.close()
    throw error
  })
  const note = join(directory, 'lock')
  await rm(note, { force: true })
  await writeFile(note, `process ${process.pid} on ${hostname()}\n`, { mode: 0o600 })
  return {
    [Symbol.asyncDispose]: async () => {
      await rm(note, { force: true })
      server.close()
      await once(server, 'close')
      address.close()
    },
  }
}

interface Address {
  path: string
  close(): void
}

function socketAddress(directory: string): Address {
  const path = join(directory, 'lock.sock')
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return { path, close: () => {} }
  // The same socket by a shorter name, which Linux has for every open directory.
  const descriptor = openSync(directory, 'r')
  return { path: `/proc/self/fd/${descriptor}/lock.sock`, close: () => closeSync(descriptor) }
}

async function listen(path: string, directory: string): Promise<Server> {
  const first = await tryListen(path)
  if (first) return first
  if (await isListening(path)) throw new Error(await heldSentence(directory))
  await removeStale(path, directory)
  const second = await tryListen(path)
  if (!second) throw new Error(await heldSentence(directory))
  return second
}

/** Nothing when there is a socket already, of somebody living or dead. */
async function tryListen(path: string): Promise<Server | undefined> {
  const server = createServer((connection) => connection.destroy())
  try {
    server.listen(path)
    await once(server, 'listening')
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) return undefined
    throw new Error(`cannot lock the directory of ${path}: ${String(error)}`, { cause: error })
  }
  server.unref()
  await chmod(path, 0o600)
  return server
}

async function isListening(path: string): Promise<boolean> {
  const connection = connect(path)
  try {
    await once(connection, 'connect')
    return true
  } catch (error) {
    // Anything else, as not being allowed to ask, does not mean that nobody is there.
    return !hasCode(error, 'ECONNREFUSED') && !hasCode(error, 'ENOENT')
  } finally {
    connection.destroy()
  }
}

// By another name first: had somebody else put a living socket there meanwhile, it would be found.
async function removeStale(path: string, directory: string): Promise<void> {
  const aside = `${path}.${process.pid}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  if (await isListening(aside)) {
    await rename(aside, path)
    throw new Error(await heldSentence(directory))
  }
  await rm(aside, { force: true })
}

async function heldSentence(directory: string): Promise<string> {
  const holder = await readFile(join(directory, 'lock'), 'utf8').catch(() => '')
  return `${directory} is in use by ${holder.trim() || 'another process'}: only one can have it`
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
