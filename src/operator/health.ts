import { messageOf } from '#base/operator-error.ts'
import type { Answer, Route } from './http-server.ts'

/** Says in a sentence what is wrong, or nothing when all is well. Quick: it is asked every few seconds. */
export type Check = () => string | undefined

/** Something that has to happen before we are ready, and that may be undone. Closed at first. */
interface Gate {
  open(): void
  close(why: string): void
}

/**
 * Whether this process should be restarted (`/healthz`) and whether it does its work (`/readyz`): 200
 * with `ok`, or 500 with a line for each check that fails; `?verbose` lists all. Who leads plays no
 * part: whoever stands by is well and ready.
 */
export class Health {
  readonly #liveness = new Map<string, Check>()
  readonly #readiness = new Map<string, Check>()

  /** Adds a check whose failure only a restart can cure. */
  addLiveness(name: string, check: Check): void {
    this.#liveness.set(name, check)
  }

  addReadiness(name: string, check: Check): void {
    this.#readiness.set(name, check)
  }

  /** Adds a check for readiness that is passed when somebody says so. */
  addGate(name: string, why: string): Gate {
    let closed: string | undefined = why
    this.addReadiness(name, () => closed)
    return {
      open: () => {
        closed = undefined
      },
      close: (reason) => {
        closed = reason
      },
    }
  }

  get routes(): { '/healthz': Route; '/readyz': Route } {
    return {
      '/healthz': (query) => answer(this.#liveness, query.has('verbose')),
      '/readyz': (query) => answer(this.#readiness, query.has('verbose')),
    }
  }
}

function answer(checks: ReadonlyMap<string, Check>, isVerbose: boolean): Answer {
  const results = [...checks].map(([name, check]) => ({ name, wrong: resultOf(check) }))
  const failed = results.filter(({ wrong }) => wrong !== undefined)
  const shown = isVerbose ? results : failed
  const lines = shown.map(({ name, wrong = 'ok' }) => `${name}: ${wrong}\n`)
  return {
    status: failed.length === 0 ? 200 : 500,
    body: lines.length === 0 ? 'ok' : lines.join(''),
  }
}

function resultOf(check: Check): string | undefined {
  try {
    return check()
  } catch (error) {
    return `could not be checked: ${messageOf(error)}`
  }
}

/**
 * Fails while the event loop was lately blocked for longer than the limit, in which nobody was served.
 * A single block is forgotten sooner than a kubelet with usual settings gives up.
 */
export const loopIsFree =
  (lag: { readonly seconds: number }, limitSeconds = 10): Check =>
  () =>
    lag.seconds > limitSeconds
      ? `the event loop was blocked for ${Math.round(lag.seconds)} s, more than ${limitSeconds} s`
      : undefined

interface UnderWay {
  readonly longest: { what: string; forMs: number } | undefined
}

/** Fails while a pass takes longer than all its deadlines together should allow. */
export const passesEnd =
  (running: UnderWay, limitMs = 10 * 60_000): Check =>
  () => {
    const { longest } = running
    return longest && longest.forMs > limitMs
      ? `the pass over ${longest.what} has taken ${seconds(longest.forMs)}, more than ${seconds(limitMs)}`
      : undefined
  }

/** Fails until everything that is watched was listed once. */
export const cachesAreFull =
  (watches: { readonly unsynced: readonly string[] }): Check =>
  () =>
    watches.unsynced.length > 0 ? `not listed yet: ${watches.unsynced.join(', ')}` : undefined

interface WatchedKinds {
  readonly broken: readonly { kind: string; forMs: number }[]
}

/** Fails while a watch has been broken for longer than a restart of the API server takes. */
export const watchesWork =
  (watches: WatchedKinds, limitMs = 2 * 60_000): Check =>
  () => {
    const broken = watches.broken.filter(({ forMs }) => forMs > limitMs)
    const words = broken.map(({ kind, forMs }) => `${kind} for ${seconds(forMs)}`)
    return words.length > 0 ? `no changes are seen of ${words.join(', ')}` : undefined
  }

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`
