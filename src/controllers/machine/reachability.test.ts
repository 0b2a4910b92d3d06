import { describe, expect, test } from 'vitest'
import type { Machine } from '#api/machine.ts'
import type { Verdict } from '#runtime/plan.ts'
import { aClaimedMachine, aMember, aWaiting, aWorld, NOW, OTHER_UUID } from '#test/machine-world.ts'
import { plan } from './plan.ts'
import { reachability, reachabilityNotices } from './reachability.ts'
import type { Seen } from './world.ts'

const silent: Seen = { is: 'silent', message: 'no route' }

type Status = NonNullable<Machine['status']>

const saying = (
  condition: Pick<NonNullable<Status['conditions']>[number], 'type' | 'status' | 'reason'>,
  state: NonNullable<Status['state']> = 'Available',
) => {
  const lastTransitionTime = NOW.toISOString()
  const conditions = [{ message: '', lastTransitionTime, ...condition }]
  return aClaimedMachine({}, { status: { state, conditions } })
}
const UNREACHED = { type: 'Reachable', status: 'False', reason: 'Unreachable' } as const
const wasReady = saying({ type: 'Ready', status: 'True', reason: 'AsWanted' })
const wasSilent = saying(UNREACHED)

describe('what happened to the connection is told', () => {
  test('when a machine that was ready does not answer, in words that stay the same', () => {
    const [told] = reachabilityNotices(wasReady, silent)

    expect(told).toMatchObject({ type: 'Warning', reason: 'Unreachable', hasHappened: true })
    expect(told?.message).not.toContain('no route')
  })

  test('by its plan', () => {
    const { notices } = plan(wasReady, aWorld({ seen: silent }), NOW)

    expect(notices).toEqual(reachabilityNotices(wasReady, silent))
  })

  test('when it is back', () => {
    expect(reachabilityNotices(wasSilent, aMember())).toMatchObject([
      { type: 'Normal', reason: 'Reachable', hasHappened: true },
    ])
  })

  test.each([
    ['goes on as it was', wasReady, aMember()],
    ['is still silent', wasSilent, silent],
    ['was never there', aClaimedMachine(), silent],
    ['comes back from its installation', saying(UNREACHED, 'Installing'), aMember()],
    ['is another one', wasSilent, aMember({ uuid: OTHER_UUID })],
    ['was wiped', wasSilent, aWaiting()],
  ])('and not of one that %s', (_what, machine, seen) => {
    expect(reachabilityNotices(machine, seen)).toEqual([])
  })
})

test.each<[string, Seen, Partial<Verdict>]>([
  ['waits', aWaiting(), { ok: true, reason: 'InMaintenance' }],
  ['runs', aMember(), { ok: true, reason: 'Answers' }],
  ['is another one', aMember({ uuid: OTHER_UUID }), { ok: false, reason: 'AnotherMachine' }],
  ['is silent', silent, { ok: false, reason: 'Unreachable' }],
  [
    'is a stranger',
    { is: 'stranger', mismatch: undefined, message: 'who?' },
    { ok: false, reason: 'IdentityUnknown' },
  ],
  ['was not asked', { is: 'unasked' }, { ok: 'unknown', reason: 'NotAsked' }],
])('a machine that %s is said to be so', (_what, seen, verdict) => {
  expect(reachability(aClaimedMachine(), seen)).toMatchObject(verdict)
})
