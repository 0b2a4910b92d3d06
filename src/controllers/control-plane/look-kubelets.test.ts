import { beforeAll, describe, expect, test } from 'vitest'
import { INSTALL_DISK, KUBELETS, RECONCILE_MODE, TURNS } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aWorker, aWorkerMachine } from '#test/builders.ts'
import { aMember } from '#test/control-plane-world.ts'
import { lookAtKubelets } from './look-kubelets.ts'

let bundle: SecretsBundle

beforeAll(async () => {
  bundle = await generateBundle({ talosVersion: 'v1.6', now: new Date() })
})

const said = (reason: string) => ({
  ...{ type: 'Ready', status: 'False' as const, reason, message: '' },
  lastTransitionTime: '2030-01-01T00:00:00Z',
})

type Status = NonNullable<Machine['status']>

const worker = (name: string, status: Status = {}, deletionTimestamp?: string): Machine =>
  aWorkerMachine({
    metadata: {
      ...{ name, uid: name, annotations: { [INSTALL_DISK]: '/dev/vda' } },
      ...(deletionTimestamp && { deletionTimestamp }),
    },
    status: { conditions: [said('KubernetesUpgradePending')], ...status },
  })

const waiting = (name = 'pool-1', kubelet = 'v1.34.0') =>
  worker(name, { pending: { work: 'kubernetes', needs: 'live' }, kubernetes: { kubelet } })

type PoolOver = Parameters<typeof aWorker>[0]

const aPool = ({ metadata, spec, status }: NonNullable<PoolOver> = {}): Worker =>
  aWorker({
    metadata: { generation: 2, ...metadata },
    ...(spec && { spec }),
    status: { observedGeneration: 2, ...status },
  })

interface Given {
  pool?: Worker
  machines?: Machine[]
  phase?: string
  live?: Worker[]
  apiServer?: string
}

const look = async (given: Given = {}) => {
  const { pool = aPool(), machines = [waiting()], phase, apiServer = 'v1.35.0' } = given
  const annotations = phase === undefined ? {} : { [KUBELETS]: phase }
  const { read, asked } = aReader({ live: given.live ?? [pool] })
  const own = aMember(1, { observedVersion: 'v1.13.0', kubernetes: { apiServer } })
  const seen = await lookAtKubelets(
    {
      ...{ controlPlane: aControlPlane({ metadata: { annotations } }), machines: [own] },
      ...{ pools: [pool], all: [own, ...machines], bundle, isApiAnswering: true },
    },
    read,
  )
  return { ...seen, asked }
}

describe('a pool asks for other kubelets', () => {
  test('when one of its machines waits for one', async () => {
    expect(await look()).toMatchObject({ asking: ['pool'], isAnyWaiting: true, problem: undefined })
    expect(await look({ machines: [worker('a')] })).toMatchObject({
      ...{ asking: [], isAnyWaiting: false },
    })
  })

  const turn = (uid: string) => ({ annotations: { [TURNS]: `1 1/${uid}/${uid}` } })

  test.each<[string, Given]>([
    [
      'it is paused',
      { pool: aPool({ spec: { rolloutStrategy: { type: 'RollingUpdate', paused: true } } }) },
    ],
    ['it has not seen its spec', { pool: aPool({ status: { observedGeneration: 1 } }) }],
    [
      'it is stuck',
      { pool: aPool({ status: { conditions: [said('DrainBlocked')], observedGeneration: 2 } }) },
    ],
    [
      'it is left alone',
      { pool: aPool({ metadata: { annotations: { [RECONCILE_MODE]: 'disable' } } }) },
    ],
    ['it is being deleted', { pool: aPool({ metadata: { deletionTimestamp: 'now' } }) }],
    ['nobody can read its turns', { pool: aPool({ metadata: { annotations: { [TURNS]: 'x' } } }) }],
    [
      'as many are down as may be',
      { machines: [waiting(), worker('b', { conditions: [said('NodeNotReady')] })] },
    ],
  ])('and not while %s, though somebody waits', async (_what, given) => {
    expect(await look(given)).toMatchObject({ asking: [], isAnyWaiting: true })
  })

  test('also while another one of it has its turn', async () => {
    const changed = worker('b', { conditions: [said('Configuring')] })
    const pool = aPool({ metadata: turn('b') })

    expect(await look({ pool, machines: [waiting(), changed] })).toMatchObject({
      ...{ asking: ['pool'], busy: ['pool'] },
    })
  })

  test('and nobody does who goes', async () => {
    const { status = {} } = waiting()
    const leaving = worker('a', status, '2030-01-01T00:00:00Z')
    expect(await look({ machines: [leaving] })).toMatchObject({ asking: [], isAnyWaiting: false })
  })
})

test('who has a turn is asked of the API before the first kubelet is moved, and after the last', async () => {
  const live = [aPool({ metadata: { annotations: { [TURNS]: '1 1/a/a' } } })]
  const busy = async (phase?: string) => {
    const seen = await look({ live, ...(phase && { phase }) })
    return [seen.busy, seen.asked]
  }

  for (const phase of ['preparing', 'ending'])
    expect(await busy(phase)).toEqual([['pool'], ['all TalosWorker']])
  for (const phase of ['moving', undefined]) expect(await busy(phase)).toEqual([[], []])
})

test('machines that are to have another Talos are named', async () => {
  const other = worker('b', { observedVersion: 'v1.12.4' })

  expect((await look({ machines: [waiting(), other] })).unlikeTalos).toEqual(['b'])
})

describe('against other kubelets speaks', () => {
  const reason = async (given: Given) => (await look(given)).problem?.reason

  test('that an API server is older, or too new for them', async () => {
    expect(await reason({ apiServer: 'v1.34.9' })).toBe('KubeletTooNew')
    const spec = { kubeVersion: 'v1.31.0' }
    expect(await reason({ pool: aPool({ spec }), apiServer: 'v1.35.0' })).toBe('KubeletTooOld')
    expect(await reason({ pool: aPool({ spec }), apiServer: 'v1.34.0' })).toBeUndefined()
  })

  test('nothing any more when they are being moved', async () => {
    expect(await reason({ apiServer: 'v1.34.9', phase: 'preparing' })).toBe('KubeletTooNew')
    expect(await reason({ apiServer: 'v1.34.9', phase: 'moving' })).toBeUndefined()
  })
})
