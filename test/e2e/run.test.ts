import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { until } from '#test/until.ts'

const REPOSITORY = join(import.meta.dirname, '../..')
const SLOW_MACHINE_MS = 60_000

let api: AnApi
let started: ChildProcess[] = []

beforeEach(async () => {
  api = await anApi({ kinds })
})

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL')
  started = []
  await api[Symbol.asyncDispose]()
})

/** Starts the operator as a user does, and yields its process and the lines of its log. */
function run(...args: string[]) {
  const child = spawn(join(REPOSITORY, 'bin/talos-operator'), ['run', ...args], {
    env: { PATH: process.env.PATH, HOME: '/nowhere' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  started.push(child)
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (more) => {
    text += more
  })
  return {
    child,
    exited: once(child, 'exit'),
    text: () => text,
    messages: () =>
      text
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line).message),
  }
}

test('runs until it is asked to stop, and then goes in good order', {
  timeout: SLOW_MACHINE_MS,
}, async () => {
  const operator = run(
    '--kubeconfig',
    api.kubeconfig,
    '--metrics-bind-address',
    '0',
    '--health-probe-bind-address',
    '127.0.0.1:0',
  )
  await until(
    'it to follow the API',
    async () => operator.messages(),
    (said) => said.includes('following the API'),
  )

  operator.child.kill('SIGTERM')
  const [exitCode] = await operator.exited

  expect(exitCode).toBe(0)
  expect(operator.messages().slice(-2)).toEqual(['stopping', 'stopped'])
})

test('settings that make no sense stop it with a sentence for each', {
  timeout: SLOW_MACHINE_MS,
}, async () => {
  const operator = run('--concurrency', 'many', '--log-level', 'loud')

  const [exitCode] = await operator.exited

  expect(exitCode).toBe(1)
  expect(operator.text()).toContain('--concurrency is "many": it is no whole number.')
  expect(operator.text()).toContain('--log-level is "loud"')
})
