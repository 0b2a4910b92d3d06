import { expect, test } from 'vitest'
import { ETCD_FORGOTTEN, ETCD_LEFT, ETCD_MEMBER } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aControlPlane } from '#test/builders.ts'
import { aBooting, aMember, anUnclaimed, aSilent, aWorld } from '#test/control-plane-world.ts'
import { forgetMembers, oldEtcd, splitEtcd } from './recovered.ts'

const idAt = (at: number) => `${at}`.padStart(16, '0')

/** A member of an etcd with a leader, which lists these. */
const well = (at: number, ...listed: number[]): Machine =>
  aMember(at, {
    etcdMembers: listed.map((id) => ({ id: idAt(id), name: '', learner: false })),
  })

const annotated = (machine: Machine, further: Record<string, string>): Machine => {
  const { metadata } = machine
  return {
    ...machine,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...further } },
  }
}
const noted = (machine: Machine, at: number) => annotated(machine, { [ETCD_MEMBER]: idAt(at) })
const silent = (at: number) => noted(aSilent(at), at)
// It runs, and knows no leader.
const alone = (at: number) => noted(aMember(at), at)

const decided = (rule: typeof splitEtcd, ...machines: Machine[]) =>
  rule(aControlPlane(), aWorld({ machines }))

test('two etcds that know nothing of each other stop everything, with the way to either of them', () => {
  const { steps, ready } = decided(splitEtcd, well(1, 9), well(2, 2, 3), well(3, 2, 3)) ?? {}

  expect([steps, ready?.reason]).toEqual([[], 'EtcdSplit'])
  expect(ready?.message).toContain(
    '2 etcds that know nothing of each other: prod-192.0.2.1 with 1 member; prod-192.0.2.2, prod-192.0.2.3 with 2 members.',
  )
  expect(ready?.message).toContain(
    'to go on with prod-192.0.2.2, prod-192.0.2.3, `talosctl -e 192.0.2.1 -n 192.0.2.1 reset --graceful=false --reboot --system-labels-to-wipe=EPHEMERAL`',
  )
})

test.each<[string, Machine[]]>([
  ['lists of one etcd are of different times', [well(1, 1), well(2, 1, 2), well(3, 2, 3)]],
  ['lists meet only in that of a third', [well(1, 1), well(3, 3, 4), well(2, 1, 3)]],
  ['the other one has no majority', [well(1, 9), alone(2), silent(3)]],
  [
    'the other ones are about to be wiped',
    [well(1, 9), annotated(well(2, 2), { [ETCD_LEFT]: 'true' })],
  ],
])('an etcd is one while %s', (_what, machines) => {
  expect(decided(splitEtcd, ...machines)).toBeUndefined()
})

test('credentials are handed out meanwhile', () => {
  const due = [{ what: 'talosconfig' as const, name: 'prod-talosconfig', isNew: false }]
  const world = aWorld({ machines: [well(1, 9), well(2, 2)], due })

  expect(splitEtcd(aControlPlane(), world)?.steps).toHaveLength(1)
})

test('members that etcd does not list any more are forgotten, whether their machines answer or not', () => {
  const { steps, ready } = decided(forgetMembers, well(1, 9), alone(2), silent(3)) ?? {}
  const step = { do: 'forgetMember', uid: expect.any(String) }

  expect(steps).toEqual([
    { ...step, machine: 'prod-192.0.2.2', member: idAt(2) },
    { ...step, machine: 'prod-192.0.2.3', member: idAt(3) },
  ])
  expect(ready?.reason).toBe('MachinesNotReady')
})

test.each<[string, Machine[]]>([
  ['no machine says who is a member', [alone(1), silent(2)]],
  ['all are members, or none yet', [well(1, 1, 2), silent(2), aBooting(3), anUnclaimed(4)]],
  ['they are members of another etcd that has a leader', [well(1, 9), well(2, 2)]],
  ['it was done', [well(1, 9), annotated(silent(2), { [ETCD_FORGOTTEN]: idAt(2) })]],
  ['they were taken out', [well(1, 9), annotated(silent(2), { [ETCD_LEFT]: 'true' })]],
])('nobody is forgotten while %s', (_what, machines) => {
  expect(decided(forgetMembers, ...machines)).toBeUndefined()
})

test('a machine with the data of a lost etcd is named, with what makes it join', () => {
  const { steps, ready } = decided(oldEtcd, well(1, 9), alone(2)) ?? {}

  expect([steps, ready?.reason]).toEqual([undefined, 'OldEtcdData'])
  expect(ready?.message).toContain('delete TalosMachine prod-192.0.2.2')
  expect(ready?.message).toContain('`talosctl -e 192.0.2.2 -n 192.0.2.2 reset --graceful=false')
})

const leaving = ({ metadata, ...rest }: Machine): Machine => ({
  ...{ ...rest, metadata: { ...metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } },
})

test.each<[string, Machine[]]>([
  ['etcd lists it', [well(1, 1, 2), alone(2)]],
  ['no machine says who is a member', [alone(1), alone(2)]],
  ['it does not answer', [well(1, 9), silent(2)]],
  ['it learns yet', [well(1, 9), aMember(2, { etcdMember: { id: idAt(2), learner: true } })]],
  ['it has none', [well(1, 9), aBooting(2)]],
  ['it goes', [well(1, 9), leaving(alone(2))]],
])('no machine is taken for one with old data while %s', (_what, machines) => {
  expect(decided(oldEtcd, ...machines)).toBeUndefined()
})
