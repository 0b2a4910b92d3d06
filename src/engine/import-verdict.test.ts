import { describe, expect, test } from 'vitest'
import type { Machine } from '#api/machine.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import type { ApiSeen } from './cluster-nodes-seen.ts'
import { clusterVerdict, importProblem, poolVerdict } from './import-verdict.ts'

type Status = NonNullable<Machine['status']>

const idOf = (at: number) => `000000000000000${at}`
const membersOf = (...all: number[]) =>
  all.map((at) => ({ id: idOf(at), name: `cp-${at}`, learner: false }))

const said = (reason: string, message: string) => [
  {
    ...{ type: 'Ready', status: 'False' as const, reason, message },
    lastTransitionTime: '2030-01-01T00:00:00Z',
  },
]

/** One of three control planes that runs as it is described. */
const seenAt = (at: number, over: Status = {}): Machine =>
  aMachine({
    metadata: { name: `prod-192.0.2.${at}` },
    spec: { endpoint: `192.0.2.${at}` },
    status: {
      ...{ uuid: `uuid-${at}`, observedGeneration: 1, conditions: said('Importing', 'it runs') },
      etcdMember: { id: idOf(at), learner: false },
      etcdMembers: membersOf(1, 2, 3),
      ...over,
    },
  })

/** The same, whose etcd has no leader; and without etcd at all. */
function leaderless(machine: Machine): Machine {
  const { etcdMembers: _, ...status } = machine.status ?? {}
  return { ...machine, status }
}
function etcdless(machine: Machine): Machine {
  const { etcdMember: _, ...status } = leaderless(machine).status ?? {}
  return { ...machine, status }
}

const answering: ApiSeen = { is: 'answering', version: 'v1.35.0' }
const silent = (reason: 'Unreachable' | 'Untrusted' | 'Refused'): ApiSeen => ({
  ...{ is: 'silent', reason, message: 'what it says', since: new Date() },
})

const verdictOn = (machines: Machine[], api: ApiSeen = answering) =>
  importProblem(clusterVerdict(aControlPlane(), machines, api))

const [one, two, three] = [seenAt(1), seenAt(2), seenAt(3)]

test('a cluster that is as it is described can be taken over', () => {
  expect(verdictOn([one, two, three])).toBeUndefined()
})

describe('nothing is taken over', () => {
  test.each<[string, Machine[], ApiSeen, string]>([
    [
      'while a machine says that it is otherwise',
      [one, two, seenAt(3, { conditions: said('ImportDiffers', 'it runs Talos v1.12.4') })],
      answering,
      '192.0.2.3: it runs Talos v1.12.4',
    ],
    [
      'of a machine that is another object’s',
      [one, two, seenAt(3, { conditions: said('ClaimedByAnother', 'TalosMachine lab/x has it') })],
      answering,
      '192.0.2.3: TalosMachine lab/x has it',
    ],
    [
      'of a machine that is listed twice',
      [one, two, three, seenAt(4, { uuid: 'uuid-1', etcdMember: { id: idOf(1), learner: false } })],
      answering,
      '192.0.2.1 and 192.0.2.4 are the same machine',
    ],
    [
      'while etcd has a member that is not listed',
      [one, two],
      answering,
      'etcd has the member cp-3 (0000000000000003), which is none of the machines in the list',
    ],
    [
      'while a machine that is listed is no member of etcd',
      [seenAt(1, { etcdMembers: membersOf(1) }), etcdless(seenAt(2))],
      answering,
      '192.0.2.2 is no member of etcd',
    ],
    [
      'of two clusters that have the same keys',
      [seenAt(1, { etcdMembers: membersOf(1) }), seenAt(2, { etcdMembers: membersOf(2) })],
      answering,
      'the etcd of 192.0.2.1 is another one than that of the others; the etcd of 192.0.2.2 is another one than that of the others',
    ],
    [
      'of another version of Kubernetes',
      [one, two, three],
      { is: 'answering', version: 'v1.34.1' },
      'Kubernetes v1.34.1 runs, and spec.kubeVersion is v1.35.0',
    ],
    [
      'while another cluster answers at the endpoint',
      [one, two, three],
      silent('Untrusted'),
      'what answers at https://192.0.2.10:6443 is not this cluster: what it says',
    ],
  ])('%s', (...[, machines, api, expected]) => {
    expect(verdictOn(machines, api)).toEqual({
      ...{ ok: false, reason: 'ImportDiffers' },
      message: `nothing was taken over: ${expected}. Correct the spec`,
    })
  })

  test('and every difference is named', () => {
    const differing = seenAt(3, { conditions: said('ImportDiffers', 'it is a worker') })

    const { message } = verdictOn([one, differing], { is: 'answering', version: 'v1.34.0' }) ?? {}

    expect(message).toContain('192.0.2.3: it is a worker')
    expect(message).toContain('Kubernetes v1.34.0 runs')
  })
})

describe('it is waited', () => {
  test.each<[string, Machine[], ApiSeen, string]>([
    [
      'for a machine that nobody has looked at',
      [aMachine()],
      answering,
      '192.0.2.1 was not looked',
    ],
    [
      'for a machine that has not seen its new spec',
      [one, two, seenAt(3, { observedGeneration: 0 })],
      answering,
      '192.0.2.3 was not looked at yet',
    ],
    [
      'for a machine that does not answer',
      [one, two, seenAt(3, { conditions: said('Unreachable', 'no route') })],
      answering,
      '192.0.2.3: no route',
    ],
    [
      'for an etcd without a leader',
      [one, two, leaderless(three)],
      answering,
      'the etcd of 192.0.2.3 knows no leader',
    ],
    [
      'for one that catches up',
      [one, two, seenAt(3, { etcdMember: { id: idOf(3), learner: true } })],
      answering,
      'the etcd of 192.0.2.3 has no vote yet',
    ],
    ['for an answer of the API', [one, two, three], { is: 'connecting' }, 'the Kubernetes API at'],
    ['for the API', [one, two, three], silent('Unreachable'), ':6443: what it says'],
    ['for the API to let us in', [one, two, three], silent('Refused'), ':6443: what it says'],
  ])('%s', (...[, machines, api, expected]) => {
    const problem = verdictOn(machines, api)

    expect(problem?.reason).toBe('Importing')
    expect(problem?.message).toContain(expected)
  })

  test('but what differs is said first', () => {
    const differing = seenAt(1, { conditions: said('ImportDiffers', 'it is a worker') })

    expect(verdictOn([differing, two, three], { is: 'connecting' })?.reason).toBe('ImportDiffers')
  })
})

test('of workers nobody asks for etcd', () => {
  const worker = etcdless(seenAt(1))

  expect(importProblem(poolVerdict([worker]))).toBeUndefined()
  expect(poolVerdict([worker, seenAt(2, { conditions: [] })]).waits).toHaveLength(1)
})
