import { describe, expect, test } from 'vitest'
import { ETCD_LEFT, RECONCILE_MODE } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { aControlPlane } from '#test/builders.ts'
import { aMember, aSilent, aWorld, UNREACHABLE } from '#test/control-plane-world.ts'
import { giveTurn, turns } from './rollout.ts'

const ready = (machine: Machine, reason: string): Machine => ({
  ...machine,
  status: {
    ...machine.status,
    ...(reason !== 'Ready' && {
      pending: { work: 'configuration' as const, needs: 'live' as const },
    }),
    conditions: [
      ...(machine.status?.conditions ?? []).filter(({ type }) => type !== 'Ready'),
      {
        ...{ type: 'Ready', status: reason === 'Ready' ? ('True' as const) : ('False' as const) },
        ...{ reason, message: reason, lastTransitionTime: '2030-01-01T00:00:00Z' },
      },
    ],
  },
})
const well = (at: number) => ready(aMember(at), 'Ready')
const waiting = (at: number) => ready(aMember(at), 'ConfigPending')
const leftAlone = (at: number, mode: string): Machine => {
  const { metadata, ...rest } = waiting(at)
  const annotations = { ...metadata.annotations, [RECONCILE_MODE]: mode }
  return { ...rest, metadata: { ...metadata, annotations } }
}
const sick = (at: number) => ready(aMember(at), 'NodeNotReady')
const free = { turns: { last: 4, held: [] }, gone: new Set<string>() }
const held = (uid: string) => ({
  ...{ turns: { last: 4, held: [{ id: 4, machine: 'prod-x', uid }] }, gone: new Set<string>() },
})

const given = (machines: Machine[], over: Partial<World> = {}, paused = false) => {
  const controlPlane = aControlPlane({
    spec: { rolloutStrategy: { type: 'RollingUpdate', ...(paused && { paused }) } },
  })
  const decision = giveTurn(controlPlane, aWorld({ machines, turns: free, ...over }))
  const [step] = decision?.steps ?? []
  return [step?.do === 'giveTurns' ? step.machines : [], decision?.ready?.reason]
}

describe('a turn', () => {
  test('is given to one of those that wait, in the order of the spec', () => {
    expect(given([well(1), waiting(2), waiting(3)])).toEqual([['prod-192.0.2.2'], 'RollingOut'])
  })

  test('is given to the next one, if the first is left alone by its reconcile-mode', () => {
    for (const mode of ['disable', 'dryrun']) {
      expect(given([leftAlone(1, mode), waiting(2)])).toEqual([['prod-192.0.2.2'], 'RollingOut'])
    }
  })

  test('is given first to one that is not well and may be mended', () => {
    expect(given([waiting(1), sick(2)])).toEqual([['prod-192.0.2.2'], 'RollingOut'])
  })

  test.each<[string, Machine[], Partial<World>]>([
    ['nobody waits for one', [well(1)], {}],
    ['somebody has one', [waiting(1), waiting(2)], { turns: held('uid-2') }],
    ['another one is off', [waiting(1), aSilent(2)], {}],
    ['two are not well', [sick(1), sick(2)], {}],
    ['only one waits that is left alone', [leftAlone(1, 'disable'), well(2)], {}],
    ['the API does not answer', [waiting(1)], { api: { is: 'connecting' } }],
    ['nobody knows who has one', [waiting(1)], { turns: { ...free, turns: undefined } }],
    [
      'another cluster answers at the endpoint',
      [sick(1)],
      { api: { ...UNREACHABLE, reason: 'Untrusted', isForeign: true } },
    ],
  ])('is given to nobody while %s', (_what, machines, over) => {
    expect(given(machines, over)).toEqual([[], undefined])
  })

  test('is given to one that is not well though the API does not answer', () => {
    expect(given([sick(1)], { api: { is: 'connecting' } })[1]).toBe('RollingOut')
  })

  const toDo = (at: number, work: 'configuration' | 'kubernetes' | 'upgrade'): Machine => {
    const { status, ...rest } = waiting(at)
    return { ...rest, status: { ...status, pending: { work, needs: 'live' } } }
  }
  const unheard = { ...UNREACHABLE, isUnheard: true as const }

  test.each<[string, World['api']]>([
    ['nobody listens there', unheard],
    ['certificates are not for its name yet', { ...unheard, reason: 'Untrusted' }],
  ])('is given though the API has never answered at its endpoint: %s', (_why, api) => {
    expect(given([toDo(1, 'configuration'), waiting(2)], { api })[0]).toEqual(['prod-192.0.2.1'])
    expect(given([toDo(1, 'kubernetes')], { api })[0]).toEqual(['prod-192.0.2.1'])
  })

  test.each<[string, World['api']]>([
    ['it answered there before', UNREACHABLE],
    ['who is there refuses us', { ...unheard, reason: 'Refused' }],
    ['who is there is of another cluster', { ...unheard, reason: 'Untrusted', isForeign: true }],
  ])('is given to nobody who is well though the API is silent: %s', (_why, api) => {
    expect(given([toDo(1, 'configuration'), waiting(2)], { api })).toEqual([[], undefined])
  })

  test('is given to nobody who is well for another Talos while the API is silent', () => {
    expect(given([toDo(1, 'upgrade')], { api: unheard })).toEqual([[], undefined])
  })

  test('does not wait for one that is out of etcd and off', () => {
    const { metadata, ...rest } = aSilent(3)
    const annotations = { ...metadata.annotations, [ETCD_LEFT]: 'true' }
    const left = { ...rest, metadata: { ...metadata, annotations } }

    expect(given([waiting(1), well(2), left])[1]).toBe('RollingOut')
  })

  test('is given to nobody while the rollout is paused, which is said', () => {
    expect(given([waiting(1)], {}, true)).toEqual([[], 'Paused'])
  })
})

describe('turns', () => {
  const decided = (over: Partial<World>) => turns(aControlPlane(), aWorld(over))

  test('that nobody can read stop everything', () => {
    expect(decided({ turns: { ...free, turns: undefined } })?.ready?.reason).toBe('TurnsUnreadable')
  })

  test('that are over are ended', () => {
    const gone = new Set(['uid-x'])

    expect(decided({ turns: { ...held('uid-x'), gone } })?.steps).toEqual([
      { do: 'endTurns', machines: ['prod-x'], turns: { last: 4, held: [] } },
    ])
    expect(decided({ turns: held('uid-x') })).toBeUndefined()
  })
})
