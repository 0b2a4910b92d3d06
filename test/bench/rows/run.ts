import { execFile } from 'node:child_process'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '#test/bench/free-port.ts'
import { median } from '#test/bench/median.ts'
import { type Memory, memoryOf } from '#test/bench/memory.ts'
import type { Row } from '#test/bench/row.ts'
import { LEAN_NODE, root } from '#test/bench/subject.ts'
import { shown } from '#test/bench/table.ts'
import { startChild } from '#test/conformance/kubernetes/child.ts'

const BUNDLE = join(root, 'dist', 'talos-operator.mjs')
const STARTS = 5
const IDLE_SECONDS = 30
const READY_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 5

/** How long the operator takes to be ready, from the start of its process. */
export const runReady: Row = {
  name: 'run-ready',
  budget: 1,
  unit: 's',
  better: 'less',
  needs: 'real-kubernetes',
  async measure({ kubeconfig }) {
    await demandProgram()
    const seconds: number[] = []
    for (let start = 0; start < STARTS; start++) {
      await using operator = await startOperator(kubeconfig)
      seconds.push(operator.readySeconds)
    }
    return {
      value: median(seconds),
      detail: `from the start of the bundle to 200 on /readyz, the API being there; median of ${STARTS} starts, at most ${shown(Math.max(...seconds))} s`,
    }
  },
}

/** How much memory the operator takes when there is nothing to do. */
export const runMemory: Row = {
  name: 'run-memory',
  budget: 75,
  unit: 'MB RSS',
  better: 'less',
  needs: 'real-kubernetes',
  async measure({ kubeconfig }) {
    await demandProgram()
    await using operator = await startOperator(kubeconfig)
    await delay(IDLE_SECONDS * 1e3)
    const { nowMb, peakMb } = await operator.memory()
    return {
      value: nowMb,
      detail: `the bundle, ${IDLE_SECONDS} s after it was ready, all kinds installed and no objects; ${shown(peakMb)} MB at most`,
    }
  },
}

/** Fails with a sentence when there is no such program to measure. */
async function demandProgram(): Promise<void> {
  await access(BUNDLE).catch(() => {
    throw new Error('the program is not built; run `make build`')
  })
  const { stdout } = await promisify(execFile)(process.execPath, [BUNDLE, 'run', '--help'])
  // Asked for the help of what is no command, it shows its own.
  if (!stdout.includes('talos-operator run')) throw new Error('the program has no command `run`')
}

interface Operator extends AsyncDisposable {
  readySeconds: number
  memory(): Promise<Memory>
}

async function startOperator(kubeconfig: string): Promise<Operator> {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-bench-'))
  const [health, metrics] = [await freePort(), await freePort()]
  const pidFile = join(folder, 'pid')
  const start = performance.now()
  const child = startChild(
    '/bin/sh',
    [
      ...['-c', 'echo $$ >"$0"; exec "$@"', pidFile, LEAN_NODE, BUNDLE, 'run'],
      ...['--kubeconfig', kubeconfig, '--leader-election-namespace', 'default'],
      ...['--health-probe-bind-address', `127.0.0.1:${health}`],
      ...['--metrics-bind-address', `127.0.0.1:${metrics}`],
    ],
    { log: join(folder, 'log'), folder },
  )
  const stop = async () => {
    await child[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
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
  return {
    readySeconds: (performance.now() - start) / 1e3,
    memory: async () => memoryOf(Number(await readFile(pidFile, 'utf8'))),
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
