import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { pathOf, typeMeta } from '#kube/paths.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { freePort } from '#test/bench/free-port.ts'
import { until } from '#test/until.ts'

const REPOSITORY = join(import.meta.dirname, '../..')
const SLOW_MACHINE_MS = 60_000
// Whoever led before is given the time to have stopped.
const QUICK_ELECTION = [
  ...['--leader-election-lease-duration', '2s', '--leader-election-renew-deadline', '1s'],
  ...['--leader-election-retry-period', '200ms'],
]

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
const run = (...args: string[]) => runWith({}, ...args)

/** The same with these variables. */
function runWith(env: Record<string, string>, ...args: string[]) {
  const child = spawn(join(REPOSITORY, 'bin/talos-operator'), ['run', ...args], {
    env: { PATH: process.env.PATH, HOME: '/nowhere', ...env },
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

test('R57, R58, R61: it listens where METRICS_BIND_ADDRESS and HEALTH_PROBE_BIND_ADDRESS say, and writes where RESULTS_PATH says', {
  timeout: SLOW_MACHINE_MS,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-variables-'))
  const [metrics, probes] = [await freePort(), await freePort()]
  const answer = async (port: number, path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    return { status: response?.status, body: (await response?.text()) ?? '' }
  }
  const place = { namespace: 'default', name: 'simple' }
  const spec = {
    ...{ kubernetesVersion: 'v1.29.7', talosVersion: 'v1.6.7' },
    ...{ clusterEndpoint: 'https://192.0.2.1:6443', controlPlane: { replicas: 1 } },
  }
  await api.send({
    ...{ method: 'POST', path: pathOf(KubernetesCluster, { namespace: 'default' }) },
    body: { ...typeMeta(KubernetesCluster), metadata: { name: place.name }, spec },
  })

  const operator = runWith(
    {
      METRICS_BIND_ADDRESS: `127.0.0.1:${metrics}`,
      HEALTH_PROBE_BIND_ADDRESS: `127.0.0.1:${probes}`,
      RESULTS_PATH: join(folder, 'results'),
    },
    ...['--kubeconfig', api.kubeconfig, ...QUICK_ELECTION],
  )
  const files = await until(
    'its files',
    () => readdir(join(folder, 'results', 'simple')).catch((): string[] => []),
    (seen) => seen.includes('simple-cp-0.yaml'),
  )
  const ready = await until(
    'it to be ready',
    () => answer(probes, '/readyz'),
    ({ status }) => status === 200,
  )

  expect(files.sort()).toEqual(['.talos-operator.json', 'simple-cp-0.yaml'])
  expect(ready.status).toBe(200)
  expect((await answer(probes, '/healthz')).status).toBe(200)
  expect((await answer(metrics, '/metrics')).body).toContain(
    'talos_operator_machines_generated{cluster="simple",role="controlplane"} 1',
  )
  // Each has an address of its own.
  expect((await answer(metrics, '/healthz')).status).toBe(404)
  expect((await answer(probes, '/metrics')).status).toBe(404)
  operator.child.kill('SIGTERM')
  await operator.exited
  await rm(folder, { recursive: true })
})

test('R57, R58, R59, R60: a variable that makes no sense stops it with a sentence', {
  timeout: SLOW_MACHINE_MS,
}, async () => {
  const operator = runWith({
    METRICS_BIND_ADDRESS: 'everywhere',
    HEALTH_PROBE_BIND_ADDRESS: ':99999',
    MAX_CONCURRENT_RECONCILES: 'some',
    RECONCILE_INTERVAL: '30',
  })

  const [exitCode] = await operator.exited

  expect(exitCode).toBe(1)
  for (const said of [
    'METRICS_BIND_ADDRESS is "everywhere": it is no address to listen on.',
    'HEALTH_PROBE_BIND_ADDRESS is ":99999": ',
    'MAX_CONCURRENT_RECONCILES is "some": it is no whole number.',
    'RECONCILE_INTERVAL is "30": a number needs its unit, as in 30s.',
  ]) {
    expect(operator.text()).toContain(said)
  }
})
