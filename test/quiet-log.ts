import type { Log } from '#base/log.ts'

const silent = () => undefined

/** A log that says nothing, but for what a test listens to. */
export function quietLog(heard: Partial<Omit<Log, 'with'>> = {}): Log {
  const log: Log = {
    ...{ error: silent, warn: silent, info: silent, debug: silent, with: () => log },
    ...heard,
  }
  return log
}
