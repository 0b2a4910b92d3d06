import type { Activity } from './racing-clock.ts'

/**
 * Sees whether anything is about to happen in a thread that has nobody to talk to. Cheaper by far than to be told
 * of all that happens, as `LoopActivity` is. Blind for keys that other threads make: see `elsewhere` of the clock.
 */
export class OwnTurns implements Activity {
  readonly quietTurns = 1

  get isElsewhere(): boolean {
    return process.getActiveResourcesInfo().some(isFile)
  }

  /** Asked in a turn of its own: what else there is in this turn or the next is somebody's. */
  isStill(): boolean {
    return !process.getActiveResourcesInfo().some((name) => name === 'Immediate' || isFile(name))
  }

  [Symbol.dispose](): void {}
}

// To close a file is a request of another name.
const isFile = (name: string): boolean => /^(FSReq|CloseReq|FileHandleCloseReq)/.test(name)
