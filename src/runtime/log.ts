import { type Logger, pino } from 'pino'
import { systemClock } from '#base/clock.ts'
import type { Log, LogFields } from '#base/log.ts'
import { presentable, presentableText } from './log-fields.ts'
import { textLine } from './log-text.ts'

/** The least important lines that are written. */
type LogLevel = 'error' | 'warn' | 'info' | 'debug'

export interface LogOptions {
  level: LogLevel
  /** `json`: one object a line, for programs. `text`: for people. */
  format?: 'json' | 'text'
  /** Takes one line, with its line break. Left out: standard error, before the call returns. */
  write?: (line: string) => void
  now?: () => Date
}

const STANDARD_ERROR = 2

/**
 * A log that writes a line before it returns, so that a crash loses none. It never throws: values of
 * any shape become plain and bounded, and keys, tokens and `Secret`s become stars.
 */
export function createLog({
  level,
  format = 'json',
  now = systemClock.now,
  ...to
}: LogOptions): Log {
  const write = to.write ?? standardError()
  const root = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"timestamp":"${now().toISOString().slice(0, -'.000Z'.length)}Z"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: format === 'json' ? write : (line) => write(textLine(line)) },
  )
  return new PinoLog(root, {})
}

class PinoLog implements Log {
  readonly #root: Logger
  readonly #bound: LogFields
  /** Made with the first line: most passes write none. */
  #child: Logger | undefined

  constructor(root: Logger, bound: LogFields) {
    this.#root = root
    this.#bound = bound
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields)
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields)
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields)
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields)
  }

  with(fields: LogFields): Log {
    try {
      return new PinoLog(this.#root, { ...this.#bound, ...fields })
    } catch {
      // Fields that cannot be read are not worth a failure.
      return this
    }
  }

  #write(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (!this.#root.isLevelEnabled(level)) return
    try {
      // A name that is bound and given would be twice in the line.
      const isClash = Object.keys(fields).some((name) => Object.hasOwn(this.#bound, name))
      const [logger, own] = isClash
        ? [this.#root, { ...this.#bound, ...fields }]
        : [this.#boundLogger(), fields]
      logger[level](this.#presentable(own), presentableText(message))
    } catch {
      // Whatever is wrong with a line, the work that it tells of goes on.
    }
  }

  #boundLogger(): Logger {
    this.#child ??= this.#root.child(this.#presentable(this.#bound))
    return this.#child
  }

  #presentable(fields: LogFields): LogFields {
    return presentable(fields, { withStacks: this.#root.isLevelEnabled('debug') })
  }
}

function standardError(): (line: string) => void {
  const destination = pino.destination({ dest: STANDARD_ERROR, sync: true })
  // A full disk or a closed pipe: there is nobody left to tell.
  destination.on('error', () => {})
  return (line) => void destination.write(line)
}
