import type { TLSSocket } from 'node:tls'
import type { AdminAccess } from '#test/misbehaving/admin-kubeconfig.ts'
import { openSocket } from './connection.ts'
import { lastVersionIn, WatchReader } from './watch-reader.ts'

interface Watched {
  namespace: string
  /** Events come from here on. */
  resourceVersion: string
  watchers: number
  /** How many events all of them get together. */
  events: number
}

/** Watches under way. Disposing of them ends them. */
interface Watchers extends Disposable {
  /** Resolves with the last of the events; rejects when they cannot come any more. */
  finished: Promise<void>
  /** How many events have come to all of them together. */
  heard(): number
  /** How often a server ended a watch too early, as those do whose clients are too slow for them. */
  resumed(): number
  /** Rejects `finished`, if it is still to come. */
  giveUp(why: string): void
}

/** Starts watches of the ConfigMaps of a namespace. Resolves when the server has begun to answer each. */
export async function startWatchers(access: AdminAccess, watched: Watched): Promise<Watchers> {
  const all = new AllWatchers(access, watched)
  await all.start()
  return all
}

class AllWatchers implements Watchers {
  readonly finished: Promise<void>
  readonly #access: AdminAccess
  readonly #watched: Watched
  readonly #sockets = new Set<TLSSocket>()
  #heard = 0
  #resumed = 0
  #isOver = false
  #finish: () => void = () => {}
  #fail: (error: unknown) => void = () => {}

  constructor(access: AdminAccess, watched: Watched) {
    this.#access = access
    this.#watched = watched
    this.finished = new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
    this.finished.catch(() => {}) // whoever waits for it is told
  }

  async start(): Promise<void> {
    const { watchers, resourceVersion } = this.#watched
    await Promise.all(Array.from({ length: watchers }, () => this.#watch(resourceVersion)))
  }

  heard = () => this.#heard

  resumed = () => this.#resumed

  giveUp(why: string): void {
    this.#fail(new Error(why))
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Resolves when the server has begun to answer. */
  async #watch(resourceVersion: string): Promise<void> {
    const socket = await openSocket(this.#access)
    this.#sockets.add(socket)
    const reader = new WatchReader()
    await new Promise<void>((begin) => {
      socket.on('data', (bytes) => {
        begin()
        this.#hear(reader.push(bytes))
        if (reader.isOver) socket.destroy()
      })
      socket.on('error', () => {}) // `close` follows
      socket.on('close', () => {
        begin()
        this.#sockets.delete(socket)
        this.#resume(reader.tail, resourceVersion)
      })
      socket.write(requestFor(this.#watched.namespace, resourceVersion))
    })
  }

  #hear(events: number): void {
    this.#heard += events
    if (this.#heard >= this.#watched.events) this.#finish()
  }

  /** As any client does. */
  #resume(tail: string, from: string): void {
    if (this.#isOver) return
    if (tail.includes('"type":"ERROR"')) {
      this.giveUp(`a watch failed: ${tail.slice(-500)}`)
      return
    }
    this.#resumed += 1
    void this.#watch(lastVersionIn(tail) ?? from).catch(this.#fail)
  }
}

const requestFor = (namespace: string, resourceVersion: string): string =>
  [
    `GET /api/v1/namespaces/${namespace}/configmaps?watch=true&resourceVersion=${resourceVersion} HTTP/1.1`,
    ...['host: localhost', 'accept: application/json', 'user-agent: bench', '', ''],
  ].join('\r\n')
