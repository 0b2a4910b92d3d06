import { expect, test } from 'vitest'
import { ETCD_MEMBER, MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { machineDraft } from '#engine/pool.ts'
import type { MachinePlan } from '#engine/pool-plan.ts'
import { aControlPlane, aMachine, aWorker, aWorkerMachine } from '#test/builders.ts'
import type { PoolSeen } from './diff-pool.ts'
import { removalsOf } from './diff-removal.ts'

const LASTS = '2030-01-01T00:00:00Z'
const idOf = (at: number) => `${at}`.padStart(16, '0')

/** A member of an etcd of three. */
const member = (at: number, isAnswering = true): Machine =>
  aMachine({
    metadata: {
      name: `prod-192.0.2.${at}`,
      annotations: { [MACHINE_UUID]: `uuid-${at}`, [ETCD_MEMBER]: idOf(at) },
    },
    spec: { endpoint: `192.0.2.${at}` },
    status: {
      conditions: [
        {
          ...{ type: 'Reachable', status: isAnswering ? 'True' : 'False', reason: 'Tested' },
          ...{ message: '', lastTransitionTime: LASTS },
        },
      ],
      ...(isAnswering && {
        etcdMember: { id: idOf(at), learner: false },
        etcdMembers: [1, 2, 3].map((one) => ({ id: idOf(one), name: `m${one}`, learner: false })),
      }),
    },
  })

const NOTHING: MachinePlan = {
  ...{ missing: [], changed: [], same: [], known: [], surplus: [], taken: [], waiting: [] },
}

const pool = (plan: Partial<MachinePlan>, over: Partial<PoolSeen> = {}): PoolSeen => ({
  ...{ parent: aControlPlane(), controlPlane: aControlPlane(), worker: undefined },
  ...{ configText: undefined, bundle: undefined, isMetaWritten: false },
  ...{ problem: undefined, warnings: [], plan: { ...NOTHING, ...plan } },
  ...over,
})

const newcomer = () => {
  const draft = machineDraft(aControlPlane(), { address: '192.0.2.4' }, '192.0.2.4')
  return draft ? [draft] : []
}

test('who does not work goes before others come, who works after', () => {
  const surplus = [member(2), member(3, false)]
  const { first, last } = removalsOf(
    pool({ known: [member(1)], surplus, missing: newcomer() }),
    surplus,
  )

  expect(first).toEqual([
    expect.objectContaining({
      name: 'prod-192.0.2.3',
      fate: 'wiped',
      isMember: true,
      isAnswering: false,
    }),
  ])
  expect(last).toEqual([
    expect.objectContaining({ name: 'prod-192.0.2.2', fate: 'wiped', isAnswering: true }),
  ])
  expect([...first, ...last].filter(({ problem }) => problem)).toEqual([])
})

test('each is taken out of what those before it left', () => {
  const surplus = [member(1), member(2), member(3)]
  const { last } = removalsOf(pool({ surplus }), surplus)

  expect(last.map(({ problem }) => problem?.reason)).toEqual([
    ...[undefined, undefined, 'LastHealthyMember'],
  ])
})

test('those that come in between count', () => {
  const surplus = [member(1), member(2), member(3)]
  const { last } = removalsOf(pool({ surplus, missing: newcomer() }), surplus)

  expect(last.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined])
})

test('one that works does not go while the others are no majority without it', () => {
  const surplus = [member(1)]
  const { last } = removalsOf(pool({ known: [member(2), member(3, false)], surplus }), surplus)

  expect(last).toMatchObject([{ problem: { reason: 'QuorumWouldBeLost' } }])
})

test('in a cluster that never began nobody is kept', () => {
  const claimed = aMachine({ metadata: { annotations: { [MACHINE_UUID]: 'a' } } })
  const { first } = removalsOf(pool({ surplus: [claimed] }), [claimed])

  expect(first).toMatchObject([{ fate: 'wiped', isMember: false }])
  expect(first[0]).not.toHaveProperty('problem')
})

test('what is to be kept runs on, as the pool or the machine says', () => {
  const claims = { [MACHINE_UUID]: 'a' }
  const kept = aWorkerMachine({
    metadata: { annotations: claims },
    spec: { deletionPolicy: 'preserve' },
  })
  const other = aWorkerMachine({ metadata: { annotations: claims } })
  const parent = aWorker({ spec: { deletionPolicy: 'preserve' } })

  const byItself = removalsOf(pool({}, { parent: aWorker(), worker: aWorker() }), [kept, other])
  expect(byItself.first.map(({ fate }) => fate)).toEqual(['kept', 'wiped'])
  const byPool = removalsOf(pool({}, { parent, worker: parent }), [other])
  expect(byPool.first.map(({ fate }) => fate)).toEqual(['kept'])
})

test('one that was never configured is only an object; one of an older operator stays', () => {
  const published = aMachine({ status: { config: 'of another' } })
  const never = aMachine({ metadata: { name: 'never' } })
  const { first } = removalsOf(pool({ surplus: [never, published] }), [never, published])

  expect(first).toMatchObject([
    { name: 'never', fate: 'never configured' },
    { problem: { reason: 'TakingOver' } },
  ])
})
