import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Clock } from '#base/clock.ts'
import { DeadlineExceeded, withDeadline } from '#base/deadline.ts'
import { untilAborted } from '#base/share-runs.ts'

const LARGEST_OUTPUT_BYTES = 1024 * 1024
const MOST_LAST_LINES = 10
const MOST_LAST_CHARACTERS = 2_000

/** A program and what it is started with. It gets no standard input. */
export interface Program {
  command: string
  args: string[]
  env: Record<string, string | undefined>
}

/** What a program printed; or what went wrong, with the last lines of its standard error. */
export type Ran =
  | { ok: true; stdout: string }
  | { ok: false; isMissing: boolean; problem: string; lastLines: string }

interface Problem {
  problem: string
  isMissing?: boolean
}

type Child = ChildProcessByStdio<null, Readable, Readable>

/**
 * Runs a program to its end. One that takes too long, prints too much or is aborted is ended with
 * all it has started; only an abort rejects. Standard output is never part of a problem.
 */
export async function runProgram(
  program: Program,
  limits: { clock: Clock; deadlineMs: number; signal: AbortSignal },
): Promise<Ran> {
  const child = start(program)
  if (!child) return failed({ problem: 'cannot be started with these arguments and variables' })
  const output = collect(child)
  try {
    const problem = await withDeadline(limits, (signal) => untilAborted(output.ended, signal))
    return problem ? failed(problem, output.lastLines()) : { ok: true, stdout: output.stdout() }
  } catch (error) {
    end(child)
    if (!(error instanceof DeadlineExceeded)) throw error
    return failed({ problem: `gave ${error.message}, and was ended` }, output.lastLines())
  }
}

function start({ command, args, env }: Program): Child | undefined {
  try {
    // A process group of its own, to end the program together with what it has started.
    return spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  } catch {
    // Too long, or with a NUL in it; the error would show which, and so perhaps a secret.
    return undefined
  }
}

const failed = ({ problem, isMissing = false }: Problem, lastLines = ''): Ran => ({
  ok: false,
  isMissing,
  problem,
  lastLines,
})

function collect(child: Child) {
  const chunks: Buffer[] = []
  let bytes = 0
  let lastText = ''
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > LARGEST_OUTPUT_BYTES) end(child)
    else chunks.push(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastText = (lastText + text).slice(-MOST_LAST_CHARACTERS)
  })
  const ended = new Promise<Problem | undefined>((resolve) => {
    child.on('error', (error) => resolve(startProblem(error)))
    child.once('close', (code, signal) =>
      resolve(bytes > LARGEST_OUTPUT_BYTES ? TOO_MUCH : endProblem(code, signal)),
    )
  })
  return {
    ended,
    stdout: () => Buffer.concat(chunks).toString('utf8'),
    lastLines: () => lastLinesOf(lastText),
  }
}

const TOO_MUCH = { problem: `printed more than ${LARGEST_OUTPUT_BYTES / 1024 / 1024} MiB` }

function startProblem(error: NodeJS.ErrnoException): Problem {
  if (error.code === 'ENOENT') return { problem: 'was not found', isMissing: true }
  if (error.code === 'EACCES') return { problem: 'may not be executed; check its mode' }
  return { problem: `could not be started (${error.code})` }
}

function endProblem(code: number | null, signal: string | null): Problem | undefined {
  if (code === 0) return undefined
  return { problem: code === null ? `was ended by ${signal}` : `ended with exit code ${code}` }
}

/** Without the control characters with which a terminal could be led to show something else. */
const lastLinesOf = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.replace(/\p{Cc}/gu, ''))
    .filter((line) => line.trim() !== '')
    .slice(-MOST_LAST_LINES)
    .join('\n')

function end(child: Child): void {
  // Something that left the group could hold the other end open for ever.
  child.stdout.destroy()
  child.stderr.destroy()
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself in the meantime.
  }
}
