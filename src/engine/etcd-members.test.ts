import { expect, test } from 'vitest'
import { ETCD_FORGOTTEN, ETCD_MEMBER } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aBooting, aMember, aSilent } from '#test/control-plane-world.ts'
import { etcdSeen, hexId, isForgotten, listedBy, quorumOf } from './etcd-members.ts'

const idAt = (at: number) => `${at}`.padStart(16, '0')
const listing = (...ids: number[]) => ({
  etcdMembers: ids.map((at) => ({ id: idAt(at), name: `cp-${at}`, learner: false })),
})

/** One that was the member before, as far as anybody wrote down. */
const noted = (machine: Machine, at: number): Machine => {
  const { metadata } = machine
  const annotations = { ...metadata.annotations, [ETCD_MEMBER]: idAt(at) }
  return { ...machine, metadata: { ...metadata, annotations } }
}

test('the members are those that one lists which is well, and not those that show themselves', () => {
  const machines = [aMember(1, listing(1, 2, 3)), noted(aBooting(2), 2), noted(aSilent(3), 3)]

  const { voters, quorum, isListed } = etcdSeen(machines)

  expect(isListed).toBe(true)
  expect(quorum).toBe(2)
  expect(voters.map(({ machine, isWell }) => [machine, isWell])).toEqual([
    ['prod-192.0.2.1', true],
    ['prod-192.0.2.2', false],
    ['prod-192.0.2.3', false],
  ])
})

test('a member that nobody stands for counts, and is not well', () => {
  const { voters } = etcdSeen([aMember(1, listing(1, 7))])

  expect(voters[1]).toEqual({ id: idAt(7), machine: undefined, name: 'cp-7', isWell: false })
})

test('where two that are well disagree, whoever is in either list counts', () => {
  const { voters } = etcdSeen([aMember(1, listing(1, 2)), aMember(2, listing(1, 2, 3))])

  expect(voters).toHaveLength(3)
})

test('a learner has no vote', () => {
  const learner = { id: idAt(2), name: 'cp-2', learner: true }
  const joining = aMember(2, { etcdMember: { id: idAt(2), learner: true } })
  const { etcdMembers } = listing(1)

  const seen = etcdSeen([aMember(1, { etcdMembers: [...etcdMembers, learner] }), joining])

  expect(seen.voters.map(({ id }) => id)).toEqual([idAt(1)])
  expect(etcdSeen([joining])).toMatchObject({ voters: [], isListed: false })
})

test('while none is well, the members are those that were noted', () => {
  const machines = [noted(aSilent(1), 1), noted(aBooting(2), 2), aMember(3), aBooting(4)]

  const { voters, isListed } = etcdSeen(machines)

  expect(isListed).toBe(false)
  expect(voters.map(({ id }) => id)).toEqual([idAt(1), idAt(2), idAt(3)])
})

/** One whose member etcd knew nothing of when it was last asked. */
const forgotten = (machine: Machine, at: number): Machine => {
  const { metadata } = machine
  const annotations = { ...metadata.annotations, [ETCD_FORGOTTEN]: idAt(at) }
  return { ...machine, metadata: { ...metadata, annotations } }
}

test('a member that etcd knows nothing of does not count, unless it has become another one', () => {
  const lost = [2, 3].map((at) => forgotten(noted(aSilent(at), at), at))
  const anew = forgotten(noted(aMember(4), 4), 9)

  expect(etcdSeen([noted(aSilent(1), 1), ...lost]).voters.map(({ id }) => id)).toEqual([idAt(1)])
  expect(etcdSeen([anew]).voters).toHaveLength(1)
  expect([...lost, anew, aSilent(5)].map(isForgotten)).toEqual([true, true, false, false])
})

test('whom machines list counts only if their etcd has a leader', () => {
  const learner = { id: idAt(7), name: '', learner: true }
  const { etcdMembers } = listing(1, 2)

  expect([...listedBy([aMember(1, { etcdMembers: [...etcdMembers, learner] })])]).toEqual([
    ...[idAt(1), idAt(2), idAt(7)],
  ])
  expect(listedBy([aMember(1), aSilent(2)]).size).toBe(0)
})

test('a majority is more than half', () => {
  expect([1, 2, 3, 4, 5].map(quorumOf)).toEqual([1, 2, 2, 3, 3])
})

test('an id is written as etcdctl does', () => {
  expect(hexId(0xabcn)).toBe('0000000000000abc')
})
