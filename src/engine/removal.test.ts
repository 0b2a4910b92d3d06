import { describe, expect, test } from 'vitest'
import { ETCD_FORGOTTEN, ETCD_MEMBER } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aControlPlane } from '#test/builders.ts'
import { aBooting, aMember, aSilent } from '#test/control-plane-world.ts'
import { etcdSeen } from './etcd-members.ts'
import { aMachineSpec } from './pool.cases.ts'
import { removalProblem, sickFirst } from './removal.ts'

const idAt = (at: number) => `${at}`.padStart(16, '0')
const listing = (...ids: number[]) => ({
  etcdMembers: ids.map((at) => ({ id: idAt(at), name: `cp-${at}`, learner: false })),
})
const silent = (at: number): Machine => {
  const { metadata, ...rest } = aSilent(at)
  const annotations = { ...metadata.annotations, [ETCD_MEMBER]: idAt(at) }
  return { ...rest, metadata: { ...metadata, annotations } }
}

describe('what keeps a machine in its control plane', () => {
  const problemOf = (machine: Machine, all: Machine[], endpoint = 'https://192.0.2.200:6443') =>
    removalProblem(aControlPlane({ spec: { endpoint } }), machine, etcdSeen(all))
  const of = (...ids: number[]) => ids.map((at) => aMember(at, listing(...ids)))

  test.each<[string, Machine | undefined, Machine[], string | undefined]>([
    ['nothing, of three that are well', of(1, 2, 3)[0], of(1, 2, 3), undefined],
    ['nothing, of two that are well', of(1, 2)[0], of(1, 2), undefined],
    ['that it is the only one', of(1)[0], of(1), 'LastHealthyMember'],
    [
      'that the only other one is off',
      aMember(1, listing(1, 2)),
      [aMember(1, listing(1, 2)), silent(2)],
      'LastHealthyMember',
    ],
    [
      'that one of the others is off',
      aMember(1, listing(1, 2, 3)),
      [aMember(1, listing(1, 2, 3)), aMember(2, listing(1, 2, 3)), silent(3)],
      'QuorumWouldBeLost',
    ],
    [
      'nothing, if it is the one that is off',
      silent(3),
      [aMember(1, listing(1, 2, 3)), aMember(2, listing(1, 2, 3)), silent(3)],
      undefined,
    ],
    [
      'a member that nobody stands for',
      aMember(1, listing(1, 2, 7)),
      [aMember(1, listing(1, 2, 7)), aMember(2, listing(1, 2, 7))],
      'QuorumWouldBeLost',
    ],
    ['that nobody says who is a member', silent(1), [silent(1), silent(2)], 'QuorumWouldBeLost'],
    ['nothing, if there never was an etcd', aBooting(1), [aBooting(1), aBooting(2)], undefined],
    ['nothing, if it is no member', aBooting(4), [aBooting(4), ...of(1, 2, 3)], undefined],
  ])('%s', (...[, machine, all, reason]) => {
    expect(machine && problemOf(machine, all)?.reason).toBe(reason)
  })

  test('that the endpoint is one of its addresses, but for one that moves from machine to machine', () => {
    const [first, ...others] = of(1, 2, 3)
    const holder = aMember(2, { ...listing(1, 2, 3), addresses: ['192.0.2.200', '192.0.2.2'] })
    if (!first) throw new Error('there are three')

    expect(problemOf(first, [first, ...others], 'https://192.0.2.1:6443')?.reason).toBe(
      'EndpointOnMachine',
    )
    // It is in no configuration, so nobody else will have it.
    expect(problemOf(holder, [first, holder, ...others.slice(1)])?.reason).toBe('EndpointOnMachine')
    const vip = { machineSpec: aMachineSpec({ configPatches: [{ vip: { ip: '192.0.2.200' } }] }) }
    const virtual = { ...holder, ...(holder.spec && { spec: { ...holder.spec, ...vip } }) }
    expect(problemOf(virtual, [first, virtual, ...others.slice(1)])).toBeUndefined()
  })

  test('that the endpoint is its own, though another address in the spec begins with that', () => {
    const holder = aMember(2, { ...listing(1, 2, 3), addresses: ['192.0.2.20', '192.0.2.2'] })
    const vip = { machineSpec: aMachineSpec({ configPatches: [{ vip: { ip: '192.0.2.200' } }] }) }
    const machine = { ...holder, ...(holder.spec && { spec: { ...holder.spec, ...vip } }) }
    const all = [aMember(1, listing(1, 2, 3)), machine, aMember(3, listing(1, 2, 3))]

    expect(problemOf(machine, all, 'https://192.0.2.20:6443')?.reason).toBe('EndpointOnMachine')
  })

  test('is said with names, and with what to do', () => {
    const all = [aMember(1, listing(1, 2, 3, 7)), aMember(2, listing(1, 2, 3, 7)), silent(3)]
    const message = all[0] && problemOf(all[0], all)?.message

    expect(message).toContain('without it etcd has 3 members and needs 2 of them')
    expect(message).toContain('prod-192.0.2.3')
    expect(message).toContain(`the member ${idAt(7)} (cp-7), which no TalosMachine stands for`)
  })
})

test('whoever does not answer goes first, and whose etcd does not work', () => {
  const { metadata, ...rest } = aMember(5)
  const annotations = { ...metadata.annotations, [ETCD_FORGOTTEN]: idAt(5) }
  const forgotten = { ...rest, metadata: { ...metadata, annotations } }
  const machines = [aMember(1, listing(1, 2, 3)), silent(2), aBooting(4), aMember(3), forgotten]

  expect(sickFirst(machines).map((one) => one.metadata.name)).toEqual([
    ...['prod-192.0.2.2', 'prod-192.0.2.3', 'prod-192.0.2.5', 'prod-192.0.2.1', 'prod-192.0.2.4'],
  ])
})
