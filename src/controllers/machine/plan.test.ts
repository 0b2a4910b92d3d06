import { describe, expect, test } from 'vitest'
import {
  BOOTSTRAP_MACHINE,
  CONFIG,
  ETCD_FORGOTTEN,
  ETCD_MEMBER,
  INSTALL_DISK,
  MACHINE_UUID,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { type Case, configurationCases } from '#test/machine-configuration.ts'
import { cordonCases } from '#test/machine-cordon.ts'
import { importCases } from '#test/machine-import.ts'
import { kubernetesCases } from '#test/machine-kubernetes.ts'
import { mendingCases } from '#test/machine-mending.ts'
import { tryCases } from '#test/machine-tries.ts'
import { upgradeCases } from '#test/machine-upgrade.ts'
import { backCases } from '#test/machine-upgrade-back.ts'
import { awayCases, besideCases } from '#test/machine-upgrade-beside.ts'
import { schematicCases } from '#test/machine-upgrade-schematic.ts'
import {
  aClaimedMachine,
  aMember,
  aNode,
  aWaiting,
  aWorld,
  NOW,
  OTHER_UUID,
  UUID,
} from '#test/machine-world.ts'
import { plan, planBy, rules } from './plan.ts'
import type { Step, World } from './world.ts'

const known = {
  is: 'known' as const,
  fingerprint: 'as-wanted',
  origin: 'as-edited',
  metaText: undefined,
}
const rival = { name: 'lab/other', what: 'uuid' as const, isLettingGo: false }
const config = { origin: 'as-edited', config: 'as-wanted' }
const configure: Step = { do: 'configure', uuid: UUID, config: 'as-wanted' }

const cases: Case[] = [
  ...configurationCases,
  ...upgradeCases,
  ...besideCases,
  ...awayCases,
  ...backCases,
  ...schematicCases,
  ...cordonCases,
  ...kubernetesCases,
  ...importCases,
  ...mendingCases,
  ...tryCases,
  {
    title: 'without its parent is left alone, whatever answers',
    world: { parent: { is: 'missing', what: 'TalosWorker pool' }, seen: { is: 'unasked' } },
    ...{ ready: 'ParentMissing', reachable: 'NotAsked', state: 'Orphaned' },
  },
  {
    title: 'that another object is after is not claimed',
    machine: aMachine(),
    world: { seen: aWaiting(), rivals: [{ ...rival, what: 'address' }] },
    ...{ ready: 'ClaimedByAnother', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'that another object claimed too is not configured',
    world: { seen: aWaiting(), rivals: [rival] },
    ...{ ready: 'ClaimedByAnother', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'that waits for its configuration gets none if the object is another by now',
    machine: aClaimedMachine({ [CONFIG]: 'as-edited as-wanted' }),
    world: { seen: aWaiting(), isOld: true },
    ...{ ready: 'WaitingForView', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'that could not be asked says so',
    world: { seen: { is: 'unasked' } },
    ...{ ready: 'NotAsked', reachable: 'NotAsked', state: 'Pending' },
  },
  {
    title: 'that does not answer is unreachable, and stays in the state that it was in',
    machine: aClaimedMachine({}, { status: { state: 'Available' } }),
    world: { seen: { is: 'silent', message: 'no route' } },
    ...{ ready: 'Unreachable', reachable: 'Unreachable', state: 'Available' },
  },
  {
    title: 'that was another node before takes that away',
    world: { formerNodes: [aNode({ name: 'before', uid: 'uid-before', ready: false })] },
    steps: [{ do: 'deleteNode', node: 'before', uid: 'uid-before' }],
    ...{ reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'that never answered is pending',
    machine: aMachine(),
    world: { seen: { is: 'silent', message: 'no route' } },
    ...{ ready: 'Unreachable', reachable: 'Unreachable', state: 'Pending' },
  },
  {
    title: 'of another cluster is left alone',
    machine: aMachine(),
    world: { seen: { is: 'stranger', mismatch: 'another-cluster', message: '' } },
    ...{ ready: 'NotInMaintenance', reachable: 'NotInMaintenance', state: 'Pending' },
  },
  {
    title: 'whose certificate is for another address is left alone',
    world: { seen: { is: 'stranger', mismatch: 'another-address', message: '' } },
    ...{ ready: 'AnotherAddress', reachable: 'AnotherAddress', state: 'Pending' },
  },
  {
    title: 'that cannot prove who it is is left alone',
    world: { seen: { is: 'stranger', mismatch: undefined, message: 'who?' } },
    ...{ ready: 'IdentityUnknown', reachable: 'IdentityUnknown', state: 'Pending' },
  },
  {
    title: 'that waits at the address of ours, and is another, is neither claimed nor configured',
    world: { seen: aWaiting({ uuid: OTHER_UUID }) },
    ...{ ready: 'AnotherMachine', reachable: 'AnotherMachine', state: 'Pending' },
  },
  {
    title: 'of the cluster at the address of ours, and another, is left alone',
    world: { seen: aMember({ uuid: OTHER_UUID }) },
    ...{ ready: 'AnotherMachine', reachable: 'AnotherMachine', state: 'Pending' },
  },
  {
    title: 'that waits and is not the one that the spec means is neither claimed nor configured',
    machine: aMachine({ spec: { uuid: OTHER_UUID } }),
    world: { seen: aWaiting() },
    ...{ ready: 'AnotherMachine', reachable: 'AnotherMachine', state: 'Pending' },
  },
  {
    title: 'of an older operator that is not the one that the spec means is not taken over',
    machine: aMachine({ spec: { uuid: OTHER_UUID }, status: { config: 'old' } }),
    ...{ ready: 'AnotherMachine', reachable: 'AnotherMachine', state: 'Pending' },
  },
  {
    title: 'that is ours, and not the one that the spec has come to mean, is changed no more',
    machine: aClaimedMachine({}, { spec: { uuid: OTHER_UUID } }),
    ...{ ready: 'AnotherMachine', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'that waits and is the one that the spec means, in whatever letters, is claimed',
    machine: aMachine({ spec: { uuid: UUID.toUpperCase() } }),
    world: { seen: aWaiting() },
    steps: [{ do: 'claim', uuid: UUID, config }],
    ...{ ready: 'InMaintenance', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'of the cluster that nobody claimed is not adopted by accident',
    machine: aMachine(),
    ...{ ready: 'NotInMaintenance', reachable: 'NotInMaintenance', state: 'Available' },
  },
  {
    title: 'that an older operator configured is taken over',
    machine: aMachine({ status: { config: 'old' } }),
    steps: [{ do: 'claim', uuid: UUID }],
    ...{ ready: 'TakingOver', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'that an older operator configured and now waits is a new one',
    machine: aMachine({ status: { config: 'old' } }),
    world: { seen: aWaiting() },
    steps: [{ do: 'claim', uuid: UUID, config }],
    ...{ ready: 'InMaintenance', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'whose configuration is wrong is not claimed',
    machine: aMachine(),
    world: { seen: aWaiting(), wanted: { is: 'wrong', reason: 'Bad', message: 'patch 1' } },
    ...{ ready: 'Bad', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'whose configuration is not there yet is not claimed',
    machine: aMachine(),
    world: { seen: aWaiting(), wanted: { is: 'waiting', reason: 'NotYet', message: 'secrets' } },
    ...{ ready: 'NotYet', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'that runs, and whose spec became wrong, runs on',
    world: { wanted: { is: 'wrong', reason: 'Bad', message: 'patch 1' } },
    ...{ ready: 'Bad', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'that began the cluster and was reset is not configured again',
    world: {
      seen: aWaiting(),
      parent: {
        is: 'there',
        controlPlane: aControlPlane({ metadata: { annotations: { [BOOTSTRAP_MACHINE]: UUID } } }),
      },
    },
    ...{ ready: 'MachineWasReset', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'that waits is claimed with the disk that was picked, and nothing else is done',
    machine: aMachine(),
    world: { seen: aWaiting(), disk: { is: 'picked', path: '/dev/sda' } },
    steps: [{ do: 'claim', uuid: UUID, disk: '/dev/sda', config }],
    ...{ ready: 'InMaintenance', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'that is claimed without a disk gets one before it is configured',
    world: { seen: aWaiting(), disk: { is: 'picked', path: '/dev/sda' } },
    steps: [{ do: 'claim', uuid: UUID, disk: '/dev/sda', config }],
    ...{ ready: 'InMaintenance', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'that is claimed, and waits, is configured',
    machine: aClaimedMachine({ [INSTALL_DISK]: '/dev/sda' }),
    world: { seen: aWaiting() },
    steps: [configure],
    ...{ ready: 'Installing', reachable: 'InMaintenance', state: 'Installing' },
  },
  {
    title: 'that boots is on its way',
    world: { seen: aMember({ stage: 'booting', unmet: ['services (etcd)'] }) },
    ...{ ready: 'ComingUp', reachable: 'Answers', state: 'Installing' },
  },
  {
    title: 'that runs without its kubelet is on its way',
    world: { seen: aMember({ isKubeletWell: false }) },
    ...{ ready: 'ComingUp', reachable: 'Answers', state: 'Installing' },
  },
  {
    title: 'whose configuration cannot be read is taken as it is',
    world: { seen: aMember({ fingerprint: undefined }) },
    ...{ reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'without a node is not ready',
    world: { node: undefined },
    ...{ ready: 'NodeMissing', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'whose node is not ready is not either',
    world: { node: aNode({ ready: false, reason: 'NodeStatusUnknown' }) },
    ...{ ready: 'NodeNotReady', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'of a control plane that is no member of etcd is not ready',
    world: { seen: aMember({ etcdMember: undefined }) },
    ...{ ready: 'NoEtcdMember', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'whose etcd has no leader is not ready',
    world: { seen: aMember({ etcdMembers: undefined }) },
    ...{ ready: 'NoEtcdLeader', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'that has become a member of etcd has that written down',
    machine: aClaimedMachine({ [ETCD_MEMBER]: 'another' }),
    world: {},
    steps: [{ do: 'noteMember', member: '00000000000000aa' }],
    ...{ ready: 'ComingUp', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'whose member was forgotten, and has a leader again, has that written down',
    machine: aClaimedMachine({ [ETCD_FORGOTTEN]: '00000000000000aa' }),
    world: {},
    steps: [{ do: 'noteMember', member: '00000000000000aa' }],
    ...{ ready: 'ComingUp', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'whose member was forgotten, and has no leader, stays so',
    machine: aClaimedMachine({ [ETCD_FORGOTTEN]: '00000000000000aa' }),
    world: { seen: aMember({ etcdMembers: undefined }) },
    ...{ ready: 'NoEtcdLeader', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'whose etcd is a learner is not ready',
    world: { seen: aMember({ etcdMember: { id: '1', learner: true } }) },
    ...{ ready: 'EtcdLearner', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'that is a worker needs no etcd',
    world: { seen: aMember({ type: 'worker', etcdMember: undefined, etcdMembers: undefined }) },
    ...{ reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'that lacks its network in META gets it written once all else is well',
    world: { wanted: { ...known, metaText: 'addresses: []' } },
    steps: [{ do: 'writeMeta', uuid: UUID }],
    ...{ reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'that lacks its network in META, and a leader of etcd, is not ready',
    world: {
      wanted: { ...known, metaText: 'addresses: []' },
      seen: aMember({ etcdMembers: undefined }),
    },
    ...{ ready: 'NoEtcdLeader', reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'whose META cannot be read is not written to for ever',
    world: {
      wanted: { ...known, metaText: 'addresses: []' },
      seen: aMember({ metaText: undefined }),
    },
    ...{ reachable: 'Answers', state: 'Available' },
  },
  {
    title: 'that has its network in META is left alone',
    world: { wanted: { ...known, metaText: 'a' }, seen: aMember({ metaText: 'a' }) },
    ...{ reachable: 'Answers', state: 'Available' },
  },
]

describe('a machine', () => {
  test.each(cases)('$title', (one) => {
    const { title: _, machine = aClaimedMachine(), world, says = '', ...expected } = one
    const { steps, conditions, status } = plan(machine, aWorld(world), NOW)

    expect({
      steps,
      ready: conditions.Ready?.reason,
      reachable: conditions.Reachable?.reason,
      state: status.state,
    }).toEqual({ steps: [], ready: undefined, ...expected })
    expect(conditions.Ready?.message ?? '').toContain(says)
  })

  test('is spoken of by a rule in every world', () => {
    const spoken = cases.map(({ machine = aClaimedMachine(), world }) =>
      rules.findIndex((rule) => rule(machine, aWorld(world), NOW) !== undefined),
    )

    expect([...new Set(spoken)].sort((a, b) => a - b)).toEqual(rules.map((_, at) => at))
  })

  test('that no rule speaks of is an error, and not a machine that is well', () => {
    expect(() => planBy([])(aMachine(), aWorld(), NOW)).toThrow('no rule')
  })
})

describe('whatever is planned', () => {
  const plans = cases.map(({ machine = aClaimedMachine(), world, title }) => ({
    ...{ title, machine, planned: plan(machine, aWorld(world), NOW) },
  }))

  test.each(plans)('a machine $title is only changed if it is the claimed one', (one) => {
    const changing = one.planned.steps.filter(({ do: what }) => !['claim', 'adopt'].includes(what))
    const claimed = one.machine.metadata.annotations?.[MACHINE_UUID]

    expect(changing.filter((step) => 'uuid' in step && step.uuid !== claimed)).toEqual([])
  })

  test.each(plans)('a machine $title has at most one step at a time', ({ planned }) => {
    expect(planned.steps.length).toBeLessThanOrEqual(1)
  })

  test.each(plans)('a machine $title is looked at again', ({ planned }) => {
    expect(planned.wakeAt?.getTime()).toBeGreaterThan(NOW.getTime())
  })
})

test.each([
  ['that was never there', aMachine(), 5],
  ['that installs itself', aMachine({ status: { state: 'Installing' } }), 1],
])('a machine %s and does not answer is looked at again in its own time', (_, machine, seconds) => {
  const { wakeAt } = plan(machine, aWorld({ seen: { is: 'silent', message: 'no route' } }), NOW)
  const waited = ((wakeAt?.getTime() ?? 0) - NOW.getTime()) / 1_000

  expect(waited).toBeGreaterThanOrEqual(seconds * 0.8)
  expect(waited).toBeLessThanOrEqual(seconds * 1.2)
})

describe('what has to be taken down when the object goes', () => {
  const needs = (machine: Machine, world: Partial<World>) =>
    plan(machine, aWorld(world), NOW).needsTeardown

  test('is nothing before a machine is ours', () => {
    expect(needs(aMachine(), { seen: { is: 'silent', message: '' } })).toBe(false)
    expect(needs(aMachine(), {})).toBe(false)
  })

  test('is something from the first step on', () => {
    expect(needs(aMachine(), { seen: aWaiting() })).toBe(true)
    expect(needs(aClaimedMachine(), { seen: { is: 'silent', message: '' } })).toBe(true)
  })
})

test('says to whom a machine belongs that two want, and what to do', () => {
  const { conditions } = plan(aMachine(), aWorld({ seen: aWaiting(), rivals: [rival] }), NOW)

  expect(conditions.Ready?.message).toContain('lab/other')
  expect(conditions.Ready?.message).toContain('take the machine out of one of the two')
})

test('names both machines when another one is at the address', () => {
  const world = aWorld({ seen: aWaiting({ uuid: OTHER_UUID }) })
  const { conditions } = plan(aClaimedMachine(), world, NOW)

  expect(conditions.Reachable?.message).toMatch(new RegExp(`${OTHER_UUID}.*${UUID}`))
})
