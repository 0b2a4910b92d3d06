import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import { newHardware } from '#simulator/fleet/new-hardware.ts'
import { seededRandom } from '#simulator/random.ts'
import {
  changesOf,
  type ProvidedStatus,
  providedStatus,
  type SeenMachine,
  type Standing,
} from './provided-status.ts'

const NOW = new Date('2030-01-01T00:00:00.500Z')
const LATER = new Date('2030-01-01T01:00:00Z')
const why = { reason: 'OutOfQuota', message: 'there is no room' }
const hardware = newHardware(seededRandom(1))

const aMachine = (status?: ProvidedStatus): ProvidedMachine => ({
  ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', ...(status && { status }) },
  metadata: { name: 'one', namespace: 'default', uid: 'a' },
})

const seen = (change: Partial<SeenMachine> = {}): SeenMachine => ({
  ...{ hardware, isOn: true, address: '127.50.0.1' },
  ...{ diskNames: new Map([['/dev/sda', 'root']]), ...change },
})

const statusOf = (standing: Standing, machine: SeenMachine | undefined, status?: ProvidedStatus) =>
  providedStatus({ object: aMachine(status), provider: 'simulated', standing, machine, now: NOW })

const hidden = seen({ address: undefined })

test.each([
  { standing: { is: 'waiting', why }, machine: undefined, says: 'Pending OutOfQuota' },
  { standing: { is: 'creating' }, machine: undefined, says: 'Creating Creating' },
  { standing: { is: 'failed', why }, machine: undefined, says: 'Failed OutOfQuota' },
  { standing: { is: 'made' }, machine: seen(), says: 'Running Running' },
  { standing: { is: 'made' }, machine: hidden, says: 'Running WaitingForAddress' },
  { standing: { is: 'made' }, machine: seen({ isOn: false }), says: 'Stopped PoweredOff' },
  { standing: { is: 'leaving' }, machine: seen(), says: 'Terminating Deleting' },
] as const)('$standing.is says $says', ({ standing, machine, says }) => {
  const status = statusOf(standing, machine)

  const [ready] = status.conditions ?? []
  expect(`${status.phase} ${ready?.reason}`).toBe(says)
  expect([ready?.type, ready?.status]).toEqual([
    'Ready',
    says === 'Running Running' ? 'True' : 'False',
  ])
})

test('a machine that is made anew keeps the address that everybody knows', () => {
  const before = statusOf({ is: 'made' }, seen())

  const after = statusOf({ is: 'creating' }, undefined, before)

  expect(after).toMatchObject({ phase: 'Creating', ipAddresses: ['127.50.0.1'] })
  expect(after).not.toHaveProperty('disks')
})

test('only a Machine that failed says why it failed', () => {
  expect(statusOf({ is: 'failed', why }, undefined)).toMatchObject({
    ...{ failureReason: 'OutOfQuota', failureMessage: 'there is no room' },
  })
  expect(statusOf({ is: 'waiting', why }, undefined)).not.toHaveProperty('failureReason')
})

test('a condition keeps its time while it stays as it is', () => {
  const before = { ...statusOf({ is: 'made' }, seen()) }
  const off = providedStatus({
    ...{ object: aMachine(before), provider: 'simulated', standing: { is: 'made' }, now: LATER },
    machine: seen({ isOn: false }),
  })

  expect(off.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([
    ...['2030-01-01T01:00:00Z', '2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z'],
  ])
  expect(off.creationTime).toBe('2030-01-01T00:00:00Z')
})

test('what a status does not say any more is taken away, and what is of others stays', () => {
  const failed = { ...statusOf({ is: 'failed', why }, undefined), region: 'north' }
  const changes = changesOf(failed, statusOf({ is: 'creating' }, undefined, failed), LATER)

  expect(changes).toEqual({
    ...{ phase: 'Creating', message: 'the machine is being made' },
    ...{ failureReason: null, failureMessage: null, conditions: expect.anything() },
    lastUpdated: '2030-01-01T01:00:00Z',
  })
})

const aStanding: fc.Arbitrary<Standing> = fc.constantFrom<Standing>(
  { is: 'waiting', why },
  { is: 'creating' },
  { is: 'failed', why },
  { is: 'made' },
  { is: 'leaving' },
)
const aSeenMachine = fc.option(
  fc.record({ isOn: fc.boolean(), address: fc.constantFrom(undefined, '127.50.0.1') }).map(seen),
  { nil: undefined },
)
const aMoment = fc.record({ standing: aStanding, machine: aSeenMachine })

test('converges: what was written is not written again', () => {
  fc.assert(
    fc.property(aMoment, aMoment, (first, then) => {
      const before = statusOf(first.standing, first.machine)
      const wish = statusOf(then.standing, then.machine, before)
      const written = patched(before, changesOf(before, wish, NOW) ?? {})
      const again = providedStatus({
        ...{ object: aMachine(written), provider: 'simulated', now: LATER, ...then },
      })

      expect(changesOf(written, again, LATER)).toBeUndefined()
    }),
  )
})

/** What a merge patch of the fields makes of a status. */
const patched = (status: ProvidedStatus, changes: Record<string, unknown>): ProvidedStatus =>
  Object.fromEntries(
    Object.entries({ ...status, ...changes }).filter(([, value]) => value !== null),
  )
