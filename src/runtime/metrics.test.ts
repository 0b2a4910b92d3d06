import { expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type ErrorCode, errorCatalogue } from '#base/error-catalogue.ts'
import { createMetrics, type Metrics, type ObjectNumbers, phases } from './metrics.ts'
import { metricTable } from './metrics-table.ts'
import type { QueueNumbers } from './queue.ts'

/** The samples of one metric, or of its parts: lines without comments. */
const samples = async (metrics: Metrics, name: string): Promise<string[]> =>
  (await metrics.text()).split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line))

const aMetrics = () => createMetrics({ version: '1.2.3' })

const numbers = (some: Partial<QueueNumbers> = {}): QueueNumbers => ({
  ...{ waiting: 0, later: 0, running: 0, oldestWaitSeconds: 0, groups: 0, added: 0, retried: 0 },
  ...some,
})

test('every metric of the table is there, under its own name and type, and no other', async () => {
  const text = await aMetrics().text()

  const found = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type])
  const declared = Object.values(metricTable).map(({ name, type }) => [name, type])
  expect(found.sort()).toEqual(declared.sort())
})

test('the text is the classic one, in which no name gets a suffix', async () => {
  const metrics = aMetrics()
  metrics.machineGenerated('c', 'worker')

  expect(metrics.contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await metrics.text()).toMatch(/[^#]\n$/)
  expect(await metrics.text()).not.toContain('# EOF')
  expect(await samples(metrics, 'talos_operator_machines_generated')).toHaveLength(1)
})

test('two sets of metrics know nothing of each other', async () => {
  const [one, other] = [aMetrics(), aMetrics()]

  one.passFailed('A', 'UnknownError')

  expect(await samples(one, 'talos_operator_reconciliation_errors_total')).toHaveLength(1)
  expect(await samples(other, 'talos_operator_reconciliation_errors_total')).toEqual([])
})

test('clusters are counted by phase, and a phase without any has its series, too', async () => {
  const metrics = aMetrics()
  const name = 'talos_operator_clusters_total'
  expect(await samples(metrics, name)).toEqual(phases.map((phase) => `${name}{phase="${phase}"} 0`))

  metrics.observeClusters(() => ({ Running: 2, Failed: 1 }))

  expect(await samples(metrics, name)).toEqual([
    'talos_operator_clusters_total{phase="Pending"} 0',
    'talos_operator_clusters_total{phase="Provisioning"} 0',
    'talos_operator_clusters_total{phase="Running"} 2',
    'talos_operator_clusters_total{phase="Failed"} 1',
  ])
})

test('the phases are those of the kind', () => {
  expect(KubernetesCluster.status.properties.phase).toMatchObject({ enum: phases })
})

test('the other four of the contract are as it says, without another label', async () => {
  const metrics = aMetrics()

  metrics.machineGenerated('prod', 'controlplane')
  metrics.machineGenerated('prod', 'controlplane')
  metrics.passEnded('KubernetesCluster', 0.02)
  metrics.passEnded('KubernetesCluster', 100)
  metrics.passFailed('KubernetesCluster', 'MachineCreationError')
  metrics.fileOperated({ operation: 'create', status: 'success' })

  const text = await metrics.text()
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'talos_operator_machines_generated{cluster="prod",role="controlplane"} 2',
      'talos_operator_reconciliation_duration_seconds_bucket{le="0.01",controller="KubernetesCluster"} 0',
      'talos_operator_reconciliation_duration_seconds_bucket{le="0.025",controller="KubernetesCluster"} 1',
      'talos_operator_reconciliation_duration_seconds_bucket{le="60",controller="KubernetesCluster"} 1',
      'talos_operator_reconciliation_duration_seconds_bucket{le="+Inf",controller="KubernetesCluster"} 2',
      'talos_operator_reconciliation_duration_seconds_sum{controller="KubernetesCluster"} 100.02',
      'talos_operator_reconciliation_duration_seconds_count{controller="KubernetesCluster"} 2',
      'talos_operator_reconciliation_errors_total{controller="KubernetesCluster",error_type="MachineCreationError"} 1',
      'talos_operator_file_operations_total{operation="create",status="success"} 1',
    ]),
  )
})

test('R41, A24: error_type is one of the four classes of the contract, or UnknownError', async () => {
  const metrics = aMetrics()
  for (const code of Object.keys(errorCatalogue).filter(isErrorCode)) metrics.passFailed('A', code)

  const others = Object.keys(errorCatalogue).length - 4
  const sample = (type: string, count: number) =>
    `talos_operator_reconciliation_errors_total{controller="A",error_type="${type}"} ${count}`
  expect(await samples(metrics, 'talos_operator_reconciliation_errors_total')).toEqual([
    ...['ValidationError', 'MachineCreationError'].map((type) => sample(type, 1)),
    ...['FileSystemError', 'OwnerReferenceError'].map((type) => sample(type, 1)),
    sample('UnknownError', others),
  ])
})

const isErrorCode = (code: string): code is ErrorCode => code in errorCatalogue

test('objects are counted by what their conditions say, and what is said no more has no series', async () => {
  const metrics = aMetrics()
  const since = { sinceSeconds: 1_900_000_000 }
  const unreachable = { kind: 'TalosMachine', type: 'Reachable', status: 'False', reason: 'Silent' }
  const stuck = { kind: 'TalosWorker', namespace: 'team-a', name: 'pool', reason: 'DrainBlocked' }
  let now: ObjectNumbers = {
    conditions: [{ ...unreachable, ...since, objects: 7 }],
    notReady: [{ ...stuck, ...since }],
  }
  const stop = metrics.observeObjects(() => now)
  const all = async () =>
    (await metrics.text()).match(/^talos_operator_(conditions|not_ready)\w*\{.*$/gm) ?? []

  const labels = 'kind="TalosMachine",type="Reachable",status="False",reason="Silent"'
  expect(await all()).toEqual([
    `talos_operator_conditions{${labels}} 7`,
    `talos_operator_conditions_since_seconds{${labels}} 1900000000`,
    'talos_operator_not_ready_since_seconds{kind="TalosWorker",reason="DrainBlocked",object_namespace="team-a",object_name="pool"} 1900000000',
  ])
  now = { conditions: [{ ...unreachable, ...since, reason: 'Other', objects: 1 }], notReady: [] }
  expect(await all()).toEqual([
    expect.stringContaining('reason="Other"} 1'),
    expect.stringContaining('reason="Other"} 1900000000'),
  ])
  stop()
  expect(await all()).toEqual([])
})

test('a queue is looked at when somebody asks, until it is no more', async () => {
  const metrics = aMetrics()
  let now = numbers({ waiting: 3, later: 2, running: 1, oldestWaitSeconds: 4.5, added: 9 })
  const stop = metrics.observeQueue('A', () => now)
  const seen = async () => (await metrics.text()).match(/^talos_operator_queue_\w+\{.*$/gm) ?? []

  expect(await seen()).toEqual([
    'talos_operator_queue_depth{controller="A",state="waiting"} 3',
    'talos_operator_queue_depth{controller="A",state="later"} 2',
    'talos_operator_queue_depth{controller="A",state="running"} 1',
    'talos_operator_queue_oldest_wait_seconds{controller="A"} 4.5',
    'talos_operator_queue_added_total{controller="A"} 9',
    'talos_operator_queue_retries_total{controller="A"} 0',
  ])
  now = numbers({ added: 10, retried: 2 })
  expect(await seen()).toContain('talos_operator_queue_added_total{controller="A"} 10')
  stop()
  expect(await seen()).toEqual([
    'talos_operator_queue_added_total{controller="A"} 10',
    'talos_operator_queue_retries_total{controller="A"} 2',
  ])
  metrics.observeQueue('A', () => numbers({ added: 1 }))
  expect(await seen()).toContain('talos_operator_queue_added_total{controller="A"} 11')
})

test('steps and calls are counted and measured', async () => {
  const metrics = aMetrics()

  metrics.stepEnded({ controller: 'A', step: 'bootstrap', outcome: 'done', seconds: 2 })
  metrics.stepEnded({ controller: 'A', step: 'bootstrap', outcome: 'failed', seconds: 1 })
  metrics.apiAnswered('GET', 200, 0.1)
  metrics.apiAnswered('GET', 0, 30)

  expect((await metrics.text()).split('\n')).toEqual(
    expect.arrayContaining([
      'talos_operator_steps_total{controller="A",step="bootstrap",outcome="done"} 1',
      'talos_operator_steps_total{controller="A",step="bootstrap",outcome="failed"} 1',
      'talos_operator_step_duration_seconds_sum{controller="A",step="bootstrap"} 3',
      'talos_operator_api_requests_total{verb="GET",code="200"} 1',
      'talos_operator_api_requests_total{verb="GET",code="0"} 1',
      'talos_operator_api_request_duration_seconds_count{verb="GET"} 2',
    ]),
  )
})

test('watches are counted each time they begin anew, and the first list is no new beginning', async () => {
  const metrics = aMetrics()
  const states = [
    { state: 'listed', objects: 1, why: 'start' },
    { state: 'watching' },
    { state: 'resumed' },
    { state: 'resumed' },
    { state: 'failed', failures: 1, retryMs: 1, error: 'x' },
    { state: 'listed', objects: 1, why: 'tooOld' },
    { state: 'listed', objects: 1, why: 'resync' },
    { state: 'troubled', key: 'a', error: 'x' },
  ] as const

  for (const state of states) metrics.watchTold(ConfigMap, state)

  expect(await samples(metrics, 'talos_operator_watch_restarts_total')).toEqual([
    'talos_operator_watch_restarts_total{kind="configmaps",reason="resumed"} 2',
    'talos_operator_watch_restarts_total{kind="configmaps",reason="failed"} 1',
    'talos_operator_watch_restarts_total{kind="configmaps",reason="tooOld"} 1',
    'talos_operator_watch_restarts_total{kind="configmaps",reason="resync"} 1',
  ])
})

test('caches tell how much they hold, and whether they can be trusted', async () => {
  const metrics = aMetrics()
  const sizes = { machines: 3, clusters: 0, workers: 7 }

  metrics.observeWatches({ sizes, unsynced: ['clusters'], broken: [{ kind: 'workers' }] })

  expect(await samples(metrics, 'talos_operator_cached_objects')).toEqual([
    'talos_operator_cached_objects{kind="machines"} 3',
    'talos_operator_cached_objects{kind="clusters"} 0',
    'talos_operator_cached_objects{kind="workers"} 7',
  ])
  expect(await samples(metrics, 'talos_operator_watch_healthy')).toEqual([
    'talos_operator_watch_healthy{kind="machines"} 1',
    'talos_operator_watch_healthy{kind="clusters"} 0',
    'talos_operator_watch_healthy{kind="workers"} 0',
  ])
})

test('the process tells who leads, what it is, and what it costs', async () => {
  const metrics = aMetrics()
  const leader = () => samples(metrics, 'talos_operator_leader')
  metrics.observeEventLoop(() => 0.25)

  expect(await leader()).toEqual(['talos_operator_leader 0'])
  metrics.leads(true)
  expect(await leader()).toEqual(['talos_operator_leader 1'])
  metrics.leads(false)
  expect(await leader()).toEqual(['talos_operator_leader 0'])
  expect(await samples(metrics, 'talos_operator_build_info')).toEqual([
    `talos_operator_build_info{version="1.2.3",node="${process.version}"} 1`,
  ])
  expect(await samples(metrics, 'nodejs_eventloop_lag_seconds')).toEqual([
    'nodejs_eventloop_lag_seconds 0.25',
  ])
  const value = async (name: string) => Number((await samples(metrics, name))[0]?.split(' ')[1])
  expect(await value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(await value('process_cpu_seconds_total')).toBeGreaterThan(0.01)
  const seconds = Date.now() / 1_000 - (await value('process_start_time_seconds'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThan(process.uptime() + 2)
})

test('what cannot be measured or looked at breaks nothing', async () => {
  const metrics = aMetrics()
  metrics.observeQueue('A', () => {
    throw new Error('no')
  })
  metrics.observeEventLoop(() => Number.NaN)

  for (const seconds of [Number.NaN, -1, Number.POSITIVE_INFINITY]) metrics.passEnded('A', seconds)

  expect(await samples(metrics, 'talos_operator_reconciliation_duration_seconds_count')).toEqual([
    'talos_operator_reconciliation_duration_seconds_count{controller="A"} 3',
  ])
})

test('no label but the contract’s own, and those of what is not Ready, names an object', () => {
  const labels = Object.values(metricTable).flatMap((entry) => Object.keys(entry.labels))

  expect([...new Set(labels)].sort()).toEqual(
    [
      ...['cluster', 'code', 'controller', 'error_type', 'kind', 'node', 'operation', 'outcome'],
      ...['object_name', 'object_namespace', 'phase', 'reason', 'role', 'state', 'status', 'step'],
      ...['type', 'verb', 'version'],
    ].sort(),
  )
})
