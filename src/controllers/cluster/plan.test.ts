import { describe, expect, test } from 'vitest'
import type { Cluster } from '#api/cluster.ts'
import { FORCE_DELETION, RECONCILE_MODE } from '#api/labels.ts'
import { aCluster, aControlPlane, aWorker } from '#test/builders.ts'
import { plan, teardown, type World } from './plan.ts'

const ready = (isTrue: boolean, message = 'said', reason = 'Tested') => ({
  conditions: [
    {
      ...{ type: 'Ready', status: isTrue ? ('True' as const) : ('False' as const) },
      ...{ reason, message, lastTransitionTime: '2030-01-01T00:00:00Z' },
    },
  ],
})
const NOW = new Date('2030-01-01T00:00:00Z')
const LEAVING = { deletionTimestamp: NOW.toISOString() }

/** Both parts inline, made, and ready. */
const settled = (): World => ({
  joined: 'prod',
  controlPlane: {
    ...{ kind: 'TalosControlPlane', name: 'prod', isInline: true, isOwn: true, isAsWanted: true },
    ...{ child: aControlPlane({ status: ready(true) }), leftOver: undefined },
  },
  worker: {
    ...{ kind: 'TalosWorker', name: 'prod', isInline: true, isOwn: true, isAsWanted: true },
    child: aWorker({ metadata: { name: 'prod' }, status: ready(true) }),
    leftOver: undefined,
  },
})

interface Parts {
  controlPlane?: Partial<World['controlPlane']>
  worker?: Partial<World['worker']>
}

const aWorld = ({ controlPlane, worker }: Parts = {}): World => {
  const base = settled()
  return {
    ...base,
    controlPlane: { ...base.controlPlane, ...controlPlane },
    worker: { ...base.worker, ...worker },
  }
}

const seen = (parts: Parts, cluster = aCluster()) => {
  const { steps, conditions } = plan(cluster, aWorld(parts), NOW)
  return {
    steps: steps.map((step) => `${step.do} ${step.part}`),
    ready: conditions.Ready?.reason,
    progressing: conditions.Progressing?.reason,
  }
}

const ABSENT = { child: undefined, isOwn: false, isAsWanted: false }
const NONE = { ...ABSENT, name: '', isInline: false }
const BY_REFERENCE = { isInline: false, isOwn: false, name: 'other' }

describe('what follows for a cluster', () => {
  test('nothing, while it is seen as it was and workers would go by that; it is looked again soon', () => {
    const world = { ...aWorld({ worker: { ...NONE, leftOver: aWorker() } }), isOld: true }

    expect(plan(aCluster(), world, NOW)).toMatchObject({
      steps: [],
      conditions: { Ready: { ok: false, reason: 'WaitingForView' } },
      wakeAt: new Date(NOW.getTime() + 5_000),
    })
  })

  test.each([
    [
      'its parts are made',
      { controlPlane: ABSENT, worker: ABSENT },
      ['create controlPlane', 'create worker'],
      'Applying',
    ],
    ['a part is brought in line', { worker: { isAsWanted: false } }, ['update worker'], 'Applying'],
    [
      'one that leaves is waited for',
      { worker: { isAsWanted: false, child: aWorker({ metadata: LEAVING }) } },
      [],
      'PartsNotReady',
    ],
    [
      'a name is taken, so that no worker joins a stranger',
      { controlPlane: { isOwn: false }, worker: ABSENT },
      [],
      'NameTaken',
    ],
    [
      'a name of workers is taken',
      { controlPlane: ABSENT, worker: { isOwn: false } },
      [],
      'NameTaken',
    ],
    [
      'a reference leads nowhere, which stops no other part',
      { controlPlane: ABSENT, worker: { ...BY_REFERENCE, child: undefined } },
      ['create controlPlane'],
      'ReferenceNotFound',
    ],
    [
      'what is referred to is never written',
      {
        controlPlane: { ...BY_REFERENCE, isAsWanted: false },
        worker: { ...BY_REFERENCE, isAsWanted: false },
      },
      [],
      undefined,
    ],
    [
      'workers that are out of the spec go',
      { worker: { ...NONE, leftOver: aWorker() } },
      ['remove worker'],
      'Applying',
    ],
    [
      'workers that go already are not asked again',
      { worker: { ...NONE, leftOver: aWorker({ metadata: LEAVING }) } },
      [],
      undefined,
    ],
    [
      'a control plane that is out of the spec stays, and its workers with it',
      { controlPlane: { ...NONE, leftOver: aControlPlane() }, worker: { isAsWanted: false } },
      [],
      'ControlPlaneLeftOver',
    ],
    ['it has no parts', { controlPlane: NONE, worker: NONE }, [], 'Empty'],
    [
      'a part is not ready',
      { worker: { child: aWorker({ status: ready(false) }) } },
      [],
      'PartsNotReady',
    ],
    ['all is well', {}, [], undefined],
  ])('%s', (...[, parts, steps, reason]) => {
    const { steps: planned, ready: said } = seen(parts)
    expect([planned, said]).toEqual([steps, reason])
  })

  test.each([
    [{ worker: { isAsWanted: false } }, 'InProgress'],
    [{ controlPlane: { isOwn: false } }, 'Blocked'],
    [{ controlPlane: NONE, worker: NONE }, 'Blocked'],
    [{}, 'Settled'],
  ])('whether something is under way is told: %o', (parts, reason) => {
    expect(seen(parts).progressing).toBe(reason)
  })

  const waits = ready(false, 'it waits')
  const wrong = ready(false, 'it is wrong', 'ConfigInvalid')

  test.each([
    ['a control plane that is wrong', wrong, waits, false],
    ['workers that are wrong in a cluster that is ready', ready(true), wrong, false],
    ['workers that are wrong in a cluster that comes up', waits, wrong, true],
    ['nothing that is wrong', waits, waits, true],
  ])('nothing is under way behind a spec that somebody has to correct: %s', (...given) => {
    const [, controlPlane, worker, ok] = given
    const parts = {
      controlPlane: { child: aControlPlane({ status: controlPlane }) },
      worker: { child: aWorker({ status: worker }) },
    }
    const { Progressing } = plan(aCluster(), aWorld(parts), NOW).conditions
    expect(Progressing).toMatchObject({ ok, reason: ok ? 'InProgress' : 'ConfigInvalid' })
  })

  test('what its parts say is repeated, with their names and reasons', () => {
    const controlPlane = { child: aControlPlane({ status: ready(false, 'it is wrong.') }) }
    const worker = { child: aWorker({ status: ready(false, 'pool-1: no answer') }) }
    const { conditions } = plan(aCluster(), aWorld({ controlPlane, worker }), NOW)
    expect(conditions.Ready?.message).toBe(
      'TalosControlPlane prod (Tested): it is wrong; TalosWorker prod (Tested): pool-1: no answer',
    )
  })

  test('a part that was ready with another spec is not ready, and that is told', () => {
    const status = { ...ready(true), observedGeneration: 1 }
    const child = aWorker({ metadata: { name: 'prod', generation: 2 }, status })
    const { conditions } = plan(aCluster(), aWorld({ worker: { child } }), NOW)
    expect(conditions.Ready).toMatchObject({
      ...{ ok: false, reason: 'PartsNotReady' },
      message: 'TalosWorker prod: not looked at since its spec changed',
    })
    const seenSince = aWorker({ metadata: { generation: 1 }, status })
    expect(seen({ worker: { child: seenSince } }).ready).toBeUndefined()
  })

  test('a boot server is not built yet, and that is told', () => {
    const pxeServerSpec = { address: '192.0.2.9', interface: 'eth0' }
    const { notices } = plan(aCluster({ spec: { pxeServerSpec } }), aWorld(), NOW)
    expect(notices).toMatchObject([{ type: 'Warning', reason: 'NotSupportedYet' }])
    expect(plan(aCluster(), aWorld(), NOW).notices).toEqual([])
  })

  test.each([
    [{}, true],
    [{ controlPlane: BY_REFERENCE, worker: BY_REFERENCE }, false],
    [{ controlPlane: NONE, worker: { ...NONE, leftOver: aWorker() } }, true],
    [{ controlPlane: { ...BY_REFERENCE, isOwn: true }, worker: NONE }, true],
  ])('only what it made has to be taken down: %o', (parts, isNeeded) => {
    expect(plan(aCluster(), aWorld(parts), NOW).needsTeardown).toBe(isNeeded)
  })
})

describe('the end of a cluster', () => {
  const FORCED = aCluster({ metadata: { annotations: { [FORCE_DELETION]: 'true' } } })
  const stepsOf = (parts: Parts, cluster: Cluster = aCluster()) => {
    const decided = teardown(cluster, aWorld(parts), NOW)
    return decided === 'finished' ? decided : decided.steps.map((one) => `${one.do} ${one.part}`)
  }
  const going = aWorker({ metadata: { name: 'prod', ...LEAVING } })

  test.each([
    ['the workers go first', {}, ['remove worker']],
    ['the control plane waits for them', { worker: { child: going } }, []],
    [
      'also for those of an older spec',
      { worker: { ...NONE, leftOver: aWorker() } },
      ['remove worker'],
    ],
    ['then it goes', { worker: ABSENT }, ['remove controlPlane']],
    [
      'also one of an older spec',
      { worker: ABSENT, controlPlane: { ...NONE, leftOver: aControlPlane() } },
      ['remove controlPlane'],
    ],
    ['what is referred to stays', { controlPlane: BY_REFERENCE, worker: BY_REFERENCE }, 'finished'],
    [
      'what has its name and is a stranger’s stays',
      { controlPlane: { isOwn: false }, worker: { isOwn: false } },
      'finished',
    ],
    ['then it is over', { controlPlane: ABSENT, worker: ABSENT }, 'finished'],
  ])('%s', (...[, parts, steps]) => {
    expect(stepsOf(parts)).toEqual(steps)
  })

  test('force is passed on before the deletion, and also to what is on its way', () => {
    expect(stepsOf({}, FORCED)).toEqual(['force worker', 'remove worker'])
    expect(stepsOf({ worker: { child: going } }, FORCED)).toEqual(['force worker'])
    expect(stepsOf({ worker: ABSENT }, FORCED)).toEqual([
      'force controlPlane',
      'remove controlPlane',
    ])
    const told = {
      ...going,
      metadata: { ...going.metadata, annotations: { [FORCE_DELETION]: 'true' } },
    }
    expect(stepsOf({ worker: { child: told } }, FORCED)).toEqual([])
  })

  test('that machines are to be kept is passed on to all parts before the deletion, and to what is on its way', () => {
    const policy = { deletionPolicy: 'preserve' as const }
    const { controlPlane, worker } = aCluster().spec ?? {}
    const keeping = aCluster({
      spec: {
        ...(controlPlane && { controlPlane: { ...controlPlane, ...policy } }),
        ...(worker && { worker: { ...worker, ...policy } }),
      },
    })
    const kept = aWorker({ metadata: { name: 'prod', ...LEAVING }, spec: policy })

    expect(stepsOf({}, keeping)).toEqual(['keep worker', 'keep controlPlane', 'remove worker'])
    expect(stepsOf({ worker: { child: going } }, keeping)).toEqual([
      'keep worker',
      'keep controlPlane',
    ])
    expect(stepsOf({ worker: { child: kept } }, keeping)).toEqual(['keep controlPlane'])
    expect(stepsOf({ worker: { isOwn: false }, controlPlane: ABSENT }, keeping)).toBe('finished')
  })

  test('while the API has a part that the caches do not show, nothing is removed, and it is looked again soon', () => {
    const unseen = 'TalosWorker prod'
    const world = { ...aWorld({ worker: ABSENT }), unseen }

    expect(teardown(aCluster(), world, NOW)).toMatchObject({
      steps: [],
      conditions: {
        Deleting: { ok: true, reason: 'WaitingForView', message: expect.stringContaining(unseen) },
        Ready: { ok: false },
      },
      wakeAt: new Date(NOW.getTime() + 5_000),
    })
    expect(teardown(FORCED, world, NOW)).toMatchObject({ steps: [] })
  })

  test('a part that nobody works on is said to hold it up, by force too', () => {
    const annotations = { [RECONCILE_MODE]: 'disable' }
    const world = aWorld({ worker: { child: aWorker({ metadata: { ...LEAVING, annotations } }) } })
    const message =
      'TalosWorker pool has the reconcile-mode disable: remove that annotation to go on'

    expect(teardown(aCluster(), world, NOW)).toMatchObject({
      conditions: { Deleting: { message } },
    })
    expect(teardown(FORCED, world, NOW)).toMatchObject({ conditions: { Deleting: { message } } })
  })

  test('what a part waits for is repeated', () => {
    const [condition] = ready(true, 'pool-1 does not answer').conditions
    const status = { conditions: condition ? [{ ...condition, type: 'Deleting' }] : [] }
    const world = aWorld({ worker: { child: { ...going, status } } })
    const decided = teardown(aCluster(), world, NOW)
    expect(decided).toMatchObject({
      conditions: { Deleting: { ok: true, message: 'TalosWorker prod: pool-1 does not answer' } },
    })
  })
})
