import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

// What is made in a life is soon garbage: with room for it, less of it is looked at again and again.
const ARGUMENTS = ['--import', 'tsx', '--max-semi-space-size=64']

/**
 * Has a program do jobs, in as many processes as there are cores: each is told a job and says what came of it. The
 * answers are in the order of the jobs.
 */
export async function sideBySide(program: URL, jobs: readonly unknown[]): Promise<unknown[]> {
  const answers: unknown[] = []
  const left = jobs.map((job, at) => ({ job, at }))
  const work = async () => {
    const process = fork(program, { execArgv: ARGUMENTS })
    try {
      for (let next = left.shift(); next; next = left.shift()) {
        answers[next.at] = await ask(process, next.job)
      }
    } finally {
      process.kill()
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return answers
}

async function ask(process: ChildProcess, job: unknown): Promise<unknown> {
  const ended = new AbortController()
  try {
    process.send({ job })
    const [{ answer }] = await Promise.race([
      once(process, 'message', { signal: ended.signal }),
      once(process, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`the process ended with ${code} at ${JSON.stringify(job)}`)
      }),
    ])
    return answer
  } finally {
    ended.abort()
  }
}

/** In such a process: does every job that it is told. */
export function doJobs(work: (job: unknown) => Promise<unknown>): void {
  process.on('message', (message) => {
    void work(Object(message).job).then((answer) => process.send?.({ answer }))
  })
}
