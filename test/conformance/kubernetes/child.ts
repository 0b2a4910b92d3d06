import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const GRACE_MS = 10_000

// The program runs beside a watcher that waits for a line or the end of standard input. Whatever ends
// the test process (also `kill -9`) closes that pipe, so that no server outlives the tests; then no
// one else is left to remove the folder either. With a line it is the test that ends the program.
const SUPERVISOR = `
folder=$1; shift
trap 'orphaned=yes' USR1
exec 3<&0 </dev/null
"$@" 3<&- & program=$!
{ read -r line <&3 || kill -USR1 $$; kill "$program"; sleep 5; kill -9 "$program"; } 2>/dev/null & watcher=$!
exec 3<&-
wait "$program"; code=$?
[ -z "$orphaned" ] || wait "$program"
kill "$watcher" 2>/dev/null
[ -z "$orphaned" ] || rm -rf "$folder"
exit "$code"
`

/** A program that was started for a test. Disposing of it ends it, and only it. */
export interface Child extends AsyncDisposable {
  /** The process group of the program and what watches over it; undefined if it did not start. */
  group: number | undefined
  /** Settles when the program has ended by itself or was ended. */
  exited: Promise<void>
  isRunning(): boolean
  /** What it printed last, for an error message. */
  lastOutput(): Promise<string>
}

export interface ChildFiles {
  /** Gets the program's output. */
  log: string
  /** Is removed if the test process ends without disposing of the child. */
  folder?: string
}

/** Starts a program whose output goes to a file. */
export function startChild(program: string, args: string[], files: ChildFiles): Child {
  const log = openSync(files.log, 'a')
  // A process group of its own: ending the group reaches the program, its watcher, and no one else.
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', files.folder ?? '', program, ...args], {
    stdio: ['pipe', log, log],
    detached: true,
  })
  closeSync(log)
  child.stdin?.on('error', () => {}) // it ended before it could be told to
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })

  return {
    group: child.pid,
    exited,
    isRunning: () => isRunning(child),
    lastOutput: async () => (await readFile(files.log, 'utf8')).split('\n').slice(-15).join('\n'),
    async [Symbol.asyncDispose]() {
      child.stdin?.end('disposed\n')
      const inTime = await Promise.race([
        exited.then(() => true),
        delay(GRACE_MS, false, { ref: false }),
      ])
      if (!inTime && child.pid !== undefined) killGroup(child.pid)
      await exited
    },
  }
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch (error) {
    // It ended just then.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null
