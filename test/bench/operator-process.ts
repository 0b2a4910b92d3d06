import { execFile } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startChild } from '#test/conformance/kubernetes/child.ts'
import { freePort } from './free-port.ts'
import { type Memory, memoryOf } from './memory.ts'
import { cpuSecondsOf } from './processes.ts'
import { LEAN_NODE, root } from './subject.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The program as it ships. */
export const BUNDLE = join(root, 'dist', 'talos-operator.mjs')

const READY_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 5
const LONGEST_ANSWER_MS = 30_000

/** The shipped operator in a process of its own. Disposing of it ends it. */
export interface OperatorProcess extends AsyncDisposable {
  /** From the start of its process to the first 200 on /readyz. */
  readySeconds: number
  memory(): Promise<Memory>
  cpuSeconds(): Promise<number>
  /** How many lines it has logged. */
  logLines(): Promise<number>
  /** What it has logged. */
  log(): Promise<string>
  /** All that it counts, as Prometheus is told. */
  metrics(): Promise<string>
  /** Ends it as a crash would: at once, whatever it is at. */
  kill(): Promise<void>
}

/** Fails with a sentence when there is no such program to measure. */
export async function demandOperator(): Promise<void> {
  await access(BUNDLE).catch(() => {
    throw new Error('the program is not built; run `make build`')
  })
  const { stdout } = await promisify(execFile)(process.execPath, [BUNDLE, 'run', '--help'])
  // Asked for the help of what is no command, it shows its own.
  if (!stdout.includes('talos-operator run')) throw new Error('the program has no command `run`')
}

/** Starts the operator; resolves when it is ready. `flags`: what else it is told. */
export async function startOperator(
  kubeconfig: string,
  flags: readonly string[] = [],
): Promise<OperatorProcess> {
  const folder = await temporaryFolder()
  const [health, metrics] = [await freePort(), await freePort()]
  const [pidFile, log] = [join(folder.path, 'pid'), join(folder.path, 'log')]
  const start = performance.now()
  const child = startChild(
    '/bin/sh',
    [
      ...['-c', 'echo $$ >"$0"; exec "$@"', pidFile, LEAN_NODE, BUNDLE, 'run'],
      ...['--kubeconfig', kubeconfig, '--leader-election-namespace', 'default'],
      ...['--health-probe-bind-address', `127.0.0.1:${health}`],
      ...['--metrics-bind-address', `127.0.0.1:${metrics}`],
      ...['--results-path', join(folder.path, 'results')],
      ...flags,
    ],
    { log, folder: folder.path },
  )
  const stop = async () => {
    await child[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  }
  while (!(await isReady(health))) {
    if (child.isRunning() && performance.now() - start < READY_WITHIN_MS) {
      await delay(LOOK_EVERY_MS)
      continue
    }
    const output = await child.lastOutput()
    await stop()
    throw new Error(`the operator did not become ready:\n${output}`)
  }
  const readySeconds = (performance.now() - start) / 1e3
  const pid = Number(await readFile(pidFile, 'utf8'))
  return {
    readySeconds,
    memory: () => memoryOf(pid),
    cpuSeconds: () => cpuSecondsOf([pid]),
    logLines: async () => (await readFile(log, 'utf8')).split('\n').length - 1,
    log: () => readFile(log, 'utf8'),
    metrics: () => answerAt(metrics, '/metrics'),
    kill: async () => {
      process.kill(pid, 'SIGKILL')
      await child.exited
    },
    [Symbol.asyncDispose]: stop,
  }
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).once('error', () => resolve(false)) // not listening yet
  })

const answerAt = (port: number, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(LONGEST_ANSWER_MS)
    get({ host: '127.0.0.1', port, path, agent: false, signal }, (response) =>
      resolve(text(response)),
    ).once('error', reject)
  })
