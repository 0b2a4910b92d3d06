import { expect, test } from 'vitest'
import { ETCD_LEFT, ETCD_MEMBER } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aControlPlane } from '#test/builders.ts'
import { aBooting, aMember, anUnclaimed, aSilent, aWorld } from '#test/control-plane-world.ts'
import { quorumLost, unknownMembers } from './quorum.ts'

const noted = (machine: Machine, at: number): Machine => {
  const { metadata } = machine
  const annotations = { ...metadata.annotations, [ETCD_MEMBER]: `${at}`.padStart(16, '0') }
  return { ...machine, metadata: { ...metadata, annotations } }
}
const silent = (at: number) => noted(aSilent(at), at)
const well = (at: number) =>
  aMember(at, {
    etcdMembers: [1, 2, 3].map((id) => ({
      id: `${id}`.padStart(16, '0'),
      name: '',
      learner: false,
    })),
  })
// It runs, and knows no leader.
const alone = (at: number) => noted(aMember(at), at)

const decided = (machines: Machine[]) => quorumLost(aControlPlane(), aWorld({ machines }))

test('two of three that do not answer are the end of a majority, and the way out is shown', () => {
  const { ready, state, steps } = decided([alone(1), silent(2), silent(3)]) ?? {}

  expect([ready?.reason, state, steps]).toEqual(['QuorumLost', 'Bootstrapped', []])
  expect(ready?.message).toContain('of 3 members 2 are needed')
  expect(ready?.message).toContain(
    'prod-192.0.2.2, prod-192.0.2.3 does not answer (prod-192.0.2.1 does)',
  )
  expect(ready?.message).toContain(
    '`talosctl -e 192.0.2.1 -n 192.0.2.1 bootstrap --recover-from=./db',
  )
})

test('one that was emptied for a recovery is not to be copied from, or emptied, again', () => {
  const message = decided([noted(aBooting(1), 1), silent(2), silent(3)])?.ready?.message

  expect(message).toContain('prod-192.0.2.1 runs no etcd')
  expect(message).toContain('`talosctl -e 192.0.2.1 -n 192.0.2.1 bootstrap --recover-from=./db')
  expect(message).not.toMatch(/ cp | reset /)
})

test('of several that are left, the copy is of one that has something, and only such are emptied', () => {
  const left = [noted(aBooting(1), 1), alone(2), silent(3), silent(4), silent(5)]
  const message = decided(left)?.ready?.message

  expect(message).toContain('`talosctl -e 192.0.2.2 -n 192.0.2.2 cp /var/lib/etcd')
  expect(message).toContain('talosctl -e 192.0.2.2 -n 192.0.2.2 reset')
  expect(message).not.toContain('talosctl -e 192.0.2.1')
})

test('where nobody is left there is nothing to recover from but a snapshot', () => {
  expect(decided([silent(1)])?.ready?.message).toContain('from a snapshot')
})

test.each([
  ['one lists the members, and so has a leader', [well(1), silent(2), silent(3)]],
  [
    'enough answer, and are on their way',
    [noted(aBooting(1), 1), noted(aBooting(2), 2), silent(3)],
  ],
  ['nobody has looked at them yet', [1, 2, 3].map((at) => noted(anUnclaimed(at), at))],
  ['none of them ever was a member', [aSilent(1), aBooting(2)]],
])('nothing is lost while %s', (_what, machines) => {
  expect(decided(machines)).toBeUndefined()
})

test('one that was taken out is missed by nobody', () => {
  const { metadata, ...rest } = silent(3)
  const annotations = { ...metadata.annotations, [ETCD_LEFT]: 'true' }
  const left = { ...rest, metadata: { ...metadata, annotations } }

  expect(decided([alone(1), alone(2), left])).toBeUndefined()
  expect(decided([alone(1), silent(2), left])?.ready?.message).toContain(
    'of 2 members 2 are needed',
  )
})

test('one of which nobody knows whether it is the right one is not taken for lost', () => {
  const { status = {}, ...rest } = silent(1)
  const conditions = (status.conditions ?? []).map((one) => ({
    ...one,
    status: 'Unknown' as const,
  }))

  expect(decided([{ ...rest, status: { ...status, conditions } }])).toBeUndefined()
})

test('credentials are handed out meanwhile', () => {
  const due = [{ what: 'talosconfig' as const, name: 'prod-talosconfig', isNew: false }]
  const world = aWorld({ machines: [silent(1)], due })

  expect(quorumLost(aControlPlane(), world)?.steps).toHaveLength(1)
})

test('a member that nobody stands for is told of, when no machine is on its way', () => {
  const told = (...machines: Machine[]) => unknownMembers({ machines }).map(({ reason }) => reason)

  expect(told(well(1), well(2))).toEqual(['UnknownEtcdMember'])
  expect(told(well(1), well(2), well(3))).toEqual([])
  expect(told(well(1), well(2), aBooting(3))).toEqual([])
  expect(told(alone(1))).toEqual([])
  expect(unknownMembers({ machines: [well(1), well(2)] })[0]?.message).toContain(
    'talosctl -e 192.0.2.1 -n 192.0.2.1 etcd remove-member 0000000000000003',
  )
})
