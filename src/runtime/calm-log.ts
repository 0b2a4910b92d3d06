import type { Cancel, Clock } from '#base/clock.ts'
import type { Log, LogFields } from '#base/log.ts'

export interface CalmOptions {
  clock: Clock
  /** How often the same may be said: once a minute unless told. */
  perKeyMs?: number
  /** Fields that, with the message, make two lines the same. */
  keyFields?: readonly string[]
}

// Whoever comes when so many are told apart shares one line with others of the same message.
const MOST_KEYS = 100

/**
 * A log in which trouble that goes on is told at once and then once a minute: warnings and errors
 * that say the same are counted, and the latest of them is written with `repeated`. What is counted
 * when it is disposed of is written then.
 */
export function calm(log: Log, options: CalmOptions): Log & Disposable {
  const { clock, perKeyMs = 60_000 } = options
  const { keyFields = ['controller', 'cluster', 'namespace', 'name', 'kind'] } = options
  return new CalmLog(log, {}, { folds: new Folds(clock, perKeyMs), keyFields })
}

interface Shared {
  folds: Folds
  keyFields: readonly string[]
}

class CalmLog implements Log, Disposable {
  readonly #log: Log
  readonly #bound: LogFields
  readonly #shared: Shared

  constructor(log: Log, bound: LogFields, shared: Shared) {
    this.#log = log
    this.#bound = bound
    this.#shared = shared
  }

  error(message: string, fields: LogFields = {}): void {
    this.#fold('error', message, fields)
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#fold('warn', message, fields)
  }

  info(message: string, fields?: LogFields): void {
    this.#log.info(message, fields)
  }

  debug(message: string, fields?: LogFields): void {
    this.#log.debug(message, fields)
  }

  with(fields: LogFields): Log {
    return new CalmLog(this.#log.with(fields), { ...this.#bound, ...fields }, this.#shared)
  }

  [Symbol.dispose](): void {
    this.#shared.folds.close()
  }

  #fold(level: 'error' | 'warn', message: string, fields: LogFields): void {
    const { folds, keyFields } = this.#shared
    const all = { ...this.#bound, ...fields }
    const rest = keyFields.map((name) => keyPart(all[name]))
    const write = (more: LogFields) => this.#log[level](message, { ...fields, ...more })
    folds.take({ message: `${level} ${message}`, rest: JSON.stringify(rest), write })
  }
}

const keyPart = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

interface Line {
  message: string
  rest: string
  write: (more: LogFields) => void
}

interface Fold {
  repeated: number
  write: Line['write']
}

/** What was said lately. Forgotten when it was not said again for a whole period. */
class Folds {
  readonly #clock: Clock
  readonly #periodMs: number
  readonly #folds = new Map<string, Fold>()
  #cancel: Cancel | undefined
  #isClosed = false

  constructor(clock: Clock, periodMs: number) {
    this.#clock = clock
    this.#periodMs = periodMs
  }

  take({ message, rest, write }: Line): void {
    const own = `${message} ${rest}`
    const key = this.#folds.has(own) || this.#folds.size < MOST_KEYS ? own : message
    const fold = this.#folds.get(key)
    if (fold) {
      fold.repeated++
      fold.write = write
      return
    }
    write({})
    if (this.#isClosed) return
    this.#folds.set(key, { repeated: 0, write })
    this.#cancel ??= this.#clock.after(this.#periodMs, () => this.#endPeriod())
  }

  close(): void {
    this.#isClosed = true
    this.#cancel?.()
    this.#tell()
    this.#folds.clear()
  }

  #endPeriod(): void {
    this.#cancel = undefined
    this.#tell()
    if (this.#folds.size === 0) return
    this.#cancel = this.#clock.after(this.#periodMs, () => this.#endPeriod())
  }

  #tell(): void {
    for (const [key, fold] of this.#folds) {
      if (fold.repeated === 0) this.#folds.delete(key)
      else fold.write({ repeated: fold.repeated })
      fold.repeated = 0
    }
  }
}
