import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'

// A process that lives answers at once, unless its event loop is held up.
const PATIENCE_MS = 1_000
const MOST_SAID = 1_000

/**
 * A socket that tells everyone who connects the same words, as long as this process lives: the kernel takes it back
 * from whoever dies. Closing it removes the name that it was made by. It keeps no process alive.
 */
export async function listenAt(path: string, words: string): Promise<Server> {
  const server = createServer((connection) => {
    connection.on('error', () => {}) // whoever asked has gone
    connection.end(words)
  })
  server.listen(path)
  await once(server, 'listening')
  server.unref()
  await chmod(path, 0o600).catch((error: unknown) => {
    // Between its name and its listening it looks dead, and who has the directory may have tidied it away.
    if (!hasCode(error, 'ENOENT')) throw error
  })
  return server
}

/** Who listens at a socket. */
interface Listener {
  /** Empty if it does not say. */
  words: string
  /** Whether it hung up without a word. */
  hasHungUp: boolean
}

/** Undefined if nobody listens. */
export async function listenerAt(path: string): Promise<Listener | undefined> {
  const connection = connect(path)
  try {
    await once(connection, 'connect')
  } catch (error) {
    connection.destroy()
    // Anything else, as not being allowed to ask, does not mean that nobody is there.
    const isNobody = hasCode(error, 'ECONNREFUSED') || hasCode(error, 'ENOENT')
    return isNobody ? undefined : { words: '', hasHungUp: false }
  }
  return wordsFrom(connection)
}

async function wordsFrom(connection: Socket): Promise<Listener> {
  let said = ''
  let isGivenUp = false
  const closed = new Promise((resolve) => connection.once('close', resolve))
  connection.on('error', () => {}) // it then says no more, and closes
  connection.setTimeout(PATIENCE_MS, () => {
    isGivenUp = true
    connection.destroy()
  })
  connection.setEncoding('utf8').on('data', (text) => {
    said += text
    if (said.length > MOST_SAID) connection.destroy()
  })
  await closed
  return { words: said, hasHungUp: said === '' && !isGivenUp }
}

/** Whether an error is the one that the system calls so. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
