import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const GRACE_MS = 10_000

// The program runs beside a watcher that waits for the end of standard input. Whatever ends the
// test process (also `kill -9`) closes that pipe, so that no server outlives the tests.
const SUPERVISOR = `
exec 3<&0 </dev/null
"$@" 3<&- & program=$!
{ cat <&3 >/dev/null; kill "$program"; sleep 5; kill -9 "$program"; } 2>/dev/null & watcher=$!
exec 3<&-
wait "$program"; code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`

/** A program that was started for a test. Disposing of it ends it, and only it. */
export interface Child extends AsyncDisposable {
  /** Settles when the program has ended by itself or was ended. */
  exited: Promise<void>
  isRunning(): boolean
  /** What it printed last, for an error message. */
  lastOutput(): Promise<string>
}

/** Starts a program whose output goes to a file. */
export function startChild(program: string, args: string[], logFile: string): Child {
  const log = openSync(logFile, 'a')
  // A process group of its own: ending the group reaches the program, its watcher, and no one else.
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', program, ...args], {
    stdio: ['pipe', log, log],
    detached: true,
  })
  closeSync(log)
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })

  return {
    exited,
    isRunning: () => isRunning(child),
    lastOutput: async () => (await readFile(logFile, 'utf8')).split('\n').slice(-15).join('\n'),
    async [Symbol.asyncDispose]() {
      child.stdin?.destroy()
      const inTime = await Promise.race([
        exited.then(() => true),
        delay(GRACE_MS, false, { ref: false }),
      ])
      if (!inTime && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      await exited
    },
  }
}

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null
