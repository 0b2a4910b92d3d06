import { describe, expect, test } from 'vitest'
import { RECONCILE_MODE, UPGRADE_FAILED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { World } from '#controllers/worker/world.ts'
import { aControlPlane, aMachine, aWorker } from '#test/builders.ts'
import { giveTurns, heldBack, turns } from './rollout.ts'

const said = (reason: string) => ({
  ...{ type: 'Ready', status: reason === 'Ready' ? ('True' as const) : ('False' as const) },
  ...{ reason, message: '', lastTransitionTime: '2030-01-01T00:00:00Z' },
})
const machine = (name: string, reason: string, isPending = reason !== 'Ready'): Machine =>
  aMachine({
    metadata: { name, uid: name },
    status: {
      ...(isPending && { pending: { work: 'configuration', needs: 'live' } }),
      conditions: [said(reason)],
    },
  })
const waiting = (name: string) => machine(name, 'ConfigPending')
const pending = (name: string, work: 'configuration' | 'upgrade' | 'kubernetes'): Machine => {
  const { status, ...rest } = waiting(name)
  return { ...rest, status: { ...status, pending: { work, needs: 'live' } } }
}
const GOES = { deletionTimestamp: '2030-01-01T00:00:00Z' }
const annotated = (one: Machine, annotations: Record<string, string>, over = {}): Machine => ({
  ...one,
  metadata: { ...one.metadata, annotations, ...over },
})
const off = (name: string) => machine(name, 'Unreachable', false)
const held = (...uids: string[]) => ({
  turns: { last: 4, held: uids.map((uid) => ({ id: 4, machine: uid, uid })) },
  gone: new Set<string>(),
})

const aWorld = (machines: Machine[], over: Partial<World>): World => ({
  ...{ controlPlane: aControlPlane(), machines, isOld: false, turns: held() },
  elsewhere: [],
  unasked: [],
  rejecting: [],
  isControlPlaneReady: true,
  isKubernetesMoving: false,
  mayKubeletsMove: false,
  pool: { missing: [], changed: [], same: [], known: [], surplus: [], taken: [], waiting: [] },
  ...{ unresolved: undefined, problem: undefined, warnings: [], means: {} },
  config: { name: 'pool-config', due: undefined },
  ...over,
})

const given = (
  machines: Machine[],
  over: Partial<World> = {},
  maxUnavailable: number | string = 1,
) => {
  const paused = maxUnavailable === 'paused' && { paused: true }
  const rolloutStrategy = { type: 'RollingUpdate' as const, rollingUpdate: { maxUnavailable } }
  const worker = aWorker({ spec: { rolloutStrategy: { ...rolloutStrategy, ...paused } } })
  const decision = giveTurns(worker, aWorld(machines, over))
  const [step] = decision?.steps ?? []
  return [step?.do === 'giveTurns' ? step.machines : [], decision?.ready?.reason]
}

describe('turns of workers', () => {
  const three = [waiting('a'), waiting('b'), waiting('c')]

  test('are given to as many as may be down', () => {
    expect(given(three)).toEqual([['a'], 'RollingOut'])
    expect(given(three, {}, 2)).toEqual([['a', 'b'], 'RollingOut'])
    expect(given(three, { turns: held('a') }, 2)).toEqual([['b'], 'RollingOut'])
  })

  test('are given to nobody while as many are down, or have one', () => {
    expect(given([...three, off('d')])).toEqual([[], undefined])
    expect(given(three, { turns: held('a') })).toEqual([[], undefined])
    expect(given([...three, off('d')], {}, 2)).toEqual([['a'], 'RollingOut'])
  })

  test('count one that was told to go, though it does not say so yet', () => {
    const leaving = annotated(machine('d', 'Ready'), {}, GOES)

    expect(given([...three, leaving])).toEqual([[], undefined])
    expect(given([...three, leaving], {}, 2)).toEqual([['a'], 'RollingOut'])
    expect(given([...three, annotated(leaving, { [RECONCILE_MODE]: 'disable' }, GOES)])[0]).toEqual(
      ['a'],
    )
  })

  test('are given first to one that is not well', () => {
    expect(given([waiting('a'), machine('b', 'NodeNotReady')])).toEqual([['b'], 'RollingOut'])
  })

  test.each(['disable', 'dryrun'])(
    'are not given to one whose reconcile-mode is %s, which would keep all others waiting',
    (mode) => {
      const left = annotated(waiting('a'), { [RECONCILE_MODE]: mode })

      expect(given([left, waiting('b')])).toEqual([['b'], 'RollingOut'])
      expect(given([left])).toEqual([[], undefined])
      expect(given([left, waiting('b')], { turns: held('a') })).toEqual([[], undefined])
    },
  )

  test.each([
    ['does not take it', 'configuration', 'ConfigRejected'],
    ['fell back', 'upgrade', 'UpgradeFailed'],
    ['does not come up with it', 'kubernetes', 'ComponentNotReady'],
  ] as const)('are given to nobody while a machine of the pool %s', (_what, work, reason) => {
    const failed = machine('d', reason, false)
    const others = [pending('a', work), pending('b', work), failed]

    expect(given(others, { mayKubeletsMove: true }, 3)).toEqual([[], 'RolloutStopped'])
    expect(given([waiting('a'), ...others], { mayKubeletsMove: true }, 3)[0]).toEqual(
      work === 'configuration' ? [] : ['a'],
    )
  })

  const FELL_BACK = { [UPGRADE_FAILED]: 'ghcr.io/siderolabs/installer:v1.13.0 it went back' }

  test.each(['Unreachable', 'ComingUp', 'Ready'])(
    'for another Talos are given to nobody because of one that fell back, though that says %s by now',
    (reason) => {
      const failed = annotated(machine('d', reason, false), FELL_BACK)
      const [leaving, another] = [
        annotated(failed, FELL_BACK, GOES),
        annotated(failed, {
          [UPGRADE_FAILED]: 'ghcr.io/siderolabs/installer:v1.13.1 it went back',
        }),
      ]
      const world = (...elsewhere: Machine[]) => aWorld([pending('a', 'upgrade')], { elsewhere })

      expect(given([pending('a', 'upgrade'), failed], {}, 3)).toEqual([[], 'RolloutStopped'])
      expect(given([pending('a', 'upgrade')], { elsewhere: [failed] })[1]).toBe('RolloutStopped')
      expect(giveTurns(aWorker(), world(failed))?.ready?.message).toMatch(
        /^a is not changed while something is wrong with d, .*: it was given ghcr\.io.*:v1\.13\.0, and does not run that: it went back\. .* remove the annotation .* from TalosMachine d$/,
      )
      // Somebody has asked for something else.
      expect(given([pending('a', 'upgrade')], { elsewhere: [leaving, another] })[0]).toEqual(['a'])
      expect(given([waiting('a'), failed], {}, 3)[0]).toEqual(['a'])
    },
  )

  test('for the same configuration are given to nobody because of one that does not take it', () => {
    const rejecting = [{ name: 'd', reason: 'ConfigRejected', message: 'it does not' }]
    const off = machine('d', 'Unreachable', false)

    expect(given([waiting('a'), off], { rejecting }, 3)).toEqual([[], 'RolloutStopped'])
    expect(
      given([pending('a', 'kubernetes'), off], { rejecting, mayKubeletsMove: true }, 3),
    ).toEqual([[], 'RolloutStopped'])
    expect(given([pending('a', 'upgrade'), off], { rejecting }, 3)[0]).toEqual(['a'])
  })

  test('are given to nobody while another pool of the cluster came to a stand with the same', () => {
    const given3 = (work: 'upgrade' | 'kubernetes', reason: string) =>
      given([pending('a', work)], {
        ...{ mayKubeletsMove: true, elsewhere: [machine('d', reason, false)] },
      })

    expect(given3('upgrade', 'UpgradeFailed')).toEqual([[], 'RolloutStopped'])
    expect(given3('kubernetes', 'ComponentNotReady')).toEqual([[], 'RolloutStopped'])
    expect(given3('upgrade', 'ConfigRejected')).toEqual([['a'], 'RollingOut'])
    expect(given([waiting('a')], { elsewhere: [machine('d', 'ConfigRejected', false)] })).toEqual([
      ...[['a'], 'RollingOut'],
    ])
  })

  test('are given when the control plane is ready', () => {
    expect(given(three, { isControlPlaneReady: false })).toEqual([[], 'WaitsForControlPlane'])
  })

  test('are given to nobody while the rollout is paused', () => {
    expect(given(three, {}, 'paused')).toEqual([[], 'Paused'])
  })

  const talos = [pending('a', 'upgrade'), pending('b', 'upgrade')]
  const kubelets = [pending('a', 'kubernetes'), pending('b', 'kubernetes')]
  const said = (machines: Machine[], over: Partial<World>) =>
    heldBack(aWorld(machines, over))?.ready?.reason

  test('for another Talos are given while Kubernetes stays as it is', () => {
    expect(given(talos)).toEqual([['a'], 'RollingOut'])
    expect(given(talos, { isKubernetesMoving: true, mayKubeletsMove: true })).toEqual([
      ...[[], undefined],
    ])
    expect(said(talos, { isKubernetesMoving: true })).toBe('UpgradePending')
    expect(said(talos, {})).toBeUndefined()
  })

  test('for other kubelets are given while the control plane lets workers have them', () => {
    expect(given(kubelets, { isKubernetesMoving: true, mayKubeletsMove: true })[0]).toEqual(['a'])
    expect(given(kubelets)).toEqual([[], undefined])
    expect(said(kubelets, {})).toBe('KubernetesUpgradePending')
    expect(said([...kubelets, ...talos], { isKubernetesMoving: true })).toBe(
      'KubernetesUpgradePending',
    )
  })

  test('for anything else are given in spite of either, and are not while it is paused', () => {
    expect(given([waiting('c'), ...kubelets])).toEqual([['c'], 'RollingOut'])
    expect(said([waiting('c'), ...kubelets], {})).toBeUndefined()
    expect(given(kubelets, {}, 'paused')).toEqual([[], 'Paused'])
  })

  test('are none where nobody waits', () => {
    expect(heldBack(aWorld([machine('a', 'Ready')], {}))).toBeUndefined()
    expect(given([machine('a', 'Ready')])).toEqual([[], undefined])
  })

  test('that cannot be read stop everything; that are over are ended', () => {
    const decided = (over: Partial<World>) => turns(aWorker(), aWorld(three, over))

    expect(decided({ turns: { ...held(), turns: undefined } })?.ready?.reason).toBe(
      'TurnsUnreadable',
    )
    expect(decided({ turns: { ...held('x'), gone: new Set(['x']) } })?.steps).toHaveLength(1)
    expect(decided({})).toBeUndefined()
  })
})
