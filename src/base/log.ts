/** What a line of the log says besides its message. Holds no secret. */
export type LogFields = Record<string, unknown>

/**
 * Where the program says what it does. Messages are static (`step done`), what differs is in the
 * fields. error: someone should look. warn: will heal. info: something was done. debug: the rest.
 */
export interface Log {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  /** The same log, with these fields on every line. */
  with(fields: LogFields): Log
}
