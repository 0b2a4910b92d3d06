import { describe, expect, test } from 'vitest'
import type { ControlPlane } from '#api/control-plane.ts'
import {
  BOOTSTRAP_ACCEPTED,
  BOOTSTRAP_MACHINE,
  CLUSTER_ID,
  CONTRACT,
  ETCD_SEEN,
  KUBE_VERSION,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { MachineDraft } from '#engine/pool.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import {
  aBooting,
  aMember,
  anUnclaimed,
  aSilent,
  aWorld,
  NOW,
  UNREACHABLE,
  uuidAt,
} from '#test/control-plane-world.ts'
import { plan, planBy, rules } from './plan.ts'
import type { World } from './world.ts'

const KNOWN = { [CLUSTER_ID]: 'id-1', [CONTRACT]: 'v1.13', [KUBE_VERSION]: 'v1.35.0' }
const BEGUN = {
  ...KNOWN,
  [BOOTSTRAP_MACHINE]: uuidAt(1),
  [BOOTSTRAP_ACCEPTED]: uuidAt(1),
  [ETCD_SEEN]: uuidAt(1),
}

const annotated = (annotations: Record<string, string>, status?: ControlPlane['status']) =>
  aControlPlane({ metadata: { annotations }, ...(status && { status }) })

/** What a person sees of a plan. */
const seen = (controlPlane: ControlPlane, world: World) => {
  const { steps, status, conditions } = plan(controlPlane, world, NOW)
  return {
    steps: steps.map((step) => ('machine' in step ? `${step.do} ${step.machine}` : step.do)),
    state: status.state,
    reason: conditions.Ready?.reason,
    message: conditions.Ready?.message,
  }
}

const draft = (): MachineDraft => {
  const { spec, metadata, apiVersion, kind } = aMachine()
  if (!spec) throw new Error('it has one')
  return { apiVersion, kind, metadata, spec }
}

describe('what is decided, in this order', () => {
  const problem = { reason: 'EndpointInvalid' as const, message: 'wrong' }
  const unresolved = { reason: 'WaitingForAddress', message: 'not there' }
  const missing = { ...aWorld().pool, missing: [draft()] }
  const surplus = { ...aWorld().pool, surplus: [aMember(9)] }
  const members = [1, 9].map((at) => ({
    ...{ id: `${at}`.padStart(16, '0'), name: `cp-${at}`, learner: false },
  }))
  const listing = (at: number) => aMember(at, { etcdMembers: members })
  const LEAVES = { ...aMember(9).metadata, deletionTimestamp: '2030-01-01T00:00:00Z' }
  const due = [{ what: 'kubeconfig' as const, name: 'prod-kubeconfig', isNew: true }]
  const taken = [
    { what: 'kubeconfig' as const, name: 'prod-kubeconfig', why: 'belongs to Thing other' },
  ]
  const silent = UNREACHABLE
  const from = (over: Partial<World>, annotations: Record<string, string> = BEGUN) =>
    seen(annotated(annotations), aWorld(over))

  test.each([
    ['input is wrong', from({ problem, pool: missing }), [[], 'Bootstrapped', 'EndpointInvalid']],
    [
      'input is wrong before all else',
      from({ problem, machines: [], secrets: { is: 'to be made', from: 'generated' } }, {}),
      [[], undefined, 'EndpointInvalid'],
    ],
    [
      'secrets are refused',
      from({ secrets: { is: 'refused', reason: 'SecretsLost', message: 'lost' }, pool: missing }),
      [[], undefined, 'SecretsLost'],
    ],
    [
      'secrets are made',
      from({ secrets: { is: 'to be made', from: 'generated' }, pool: missing }, {}),
      [['createSecrets'], undefined, 'CreatingSecrets'],
    ],
    [
      'whose secrets they are is written down',
      from({ pool: missing }, {}),
      [['recordCluster'], undefined, 'CreatingSecrets'],
    ],
    [
      'something else answers, before any machine has its configuration',
      from({ pool: missing, machines: [], api: { ...silent, reason: 'Untrusted' } }, KNOWN),
      [[], 'Pending', 'EndpointOfAnotherCluster'],
    ],
    [
      'it is not known yet who answers',
      from({ pool: missing, machines: [], api: { is: 'connecting' } }, KNOWN),
      [[], 'Pending', 'CheckingEndpoint'],
    ],
    [
      'nobody answers, as it should be',
      from({ pool: missing, machines: [], api: silent }, KNOWN),
      [['createMachine prod-192.0.2.1'], 'Pending', 'CreatingMachines'],
    ],
    [
      'machines are made',
      from({ pool: missing, unresolved, machines: [], api: silent }, KNOWN),
      [['createMachine prod-192.0.2.1'], 'Pending', 'CreatingMachines'],
    ],
    [
      'a machine is added to one that has begun',
      from({ pool: missing }),
      [['createMachine prod-192.0.2.1'], 'Bootstrapped', 'CreatingMachines'],
    ],
    [
      'an address is waited for before the cluster begins',
      from({ unresolved, machines: [aBooting(1)] }, KNOWN),
      [[], 'Pending', 'WaitingForAddress'],
    ],
    [
      'credentials are written',
      from({ due, unresolved }),
      [['deliver'], 'Bootstrapped', 'Delivering'],
    ],
    ['the API is silent', from({ api: silent }), [[], 'Bootstrapped', 'ApiUnreachable']],
    [
      'the API is not known yet',
      from({ api: { is: 'connecting' } }),
      [[], 'Bootstrapped', 'WaitingForApi'],
    ],
    [
      'another cluster answers',
      from({ api: { ...silent, reason: 'Untrusted' } }),
      [[], 'Bootstrapped', 'EndpointOfAnotherCluster'],
    ],
    [
      'the API refuses us',
      from({ api: { ...silent, reason: 'Refused' } }),
      [[], 'Bootstrapped', 'ApiRefuses'],
    ],
    [
      'an address is waited for later',
      from({ unresolved }),
      [[], 'Bootstrapped', 'WaitingForAddress'],
    ],
    [
      'a machine is too much',
      from({ pool: surplus, machines: [listing(1), listing(9)] }),
      [['removeMachine prod-192.0.2.9'], 'Bootstrapped', 'RemovingMachine'],
    ],
    [
      'a machine leaves',
      from({ pool: surplus, machines: [listing(1), { ...listing(9), metadata: LEAVES }] }),
      [['letGo prod-192.0.2.9'], 'Bootstrapped', 'RemovingMachine'],
    ],
    [
      'a node is left cordoned',
      from({ strays: [{ node: 'cp-1', uid: 'u', by: 'gone' }], machines: [listing(1)] }),
      [['uncordon'], 'Bootstrapped', 'Uncordoning'],
    ],
    [
      'a Secret is taken',
      from({ taken, machines: [aMember(1), aSilent(2)] }),
      [[], 'Bootstrapped', 'SecretNameTaken'],
    ],
    [
      'a machine is not ready',
      from({ machines: [aMember(1), aSilent(2)] }),
      [[], 'Bootstrapped', 'MachinesNotReady'],
    ],
    ['all is well', from({}), [[], 'Ready', undefined]],
  ])('%s', (_title, { steps, state, reason }, expected) => {
    expect([steps, state, reason]).toEqual(expected)
  })

  test('a world that no rule speaks of is a mistake of ours, and not taken for ready', () => {
    expect(() => planBy([])(aControlPlane(), aWorld(), NOW)).toThrow('no rule')
  })

  test('container mode is not built, and nothing is done', () => {
    const { steps, conditions } = plan(
      aControlPlane({ spec: { mode: 'container' } }),
      aWorld(),
      NOW,
    )
    expect([steps, conditions.Ready?.reason]).toEqual([[], 'NotSupportedYet'])
    expect(conditions.Ready?.message).toContain('spec.mode container')
  })
})

describe('a cluster begins once', () => {
  const aNewWorld = (machines: Machine[]) => aWorld({ machines, api: UNREACHABLE })

  test.each([
    [
      'on the first that is up',
      [aBooting(1), aBooting(2)],
      KNOWN,
      ['chooseBootstrap prod-192.0.2.1'],
    ],
    [
      'without one that never had a configuration',
      [anUnclaimed(1), aBooting(2)],
      KNOWN,
      ['chooseBootstrap prod-192.0.2.2'],
    ],
    ['not while one that has its configuration is silent', [aBooting(1), aSilent(2)], KNOWN, []],
    [
      'not on one that still installs',
      [aBooting(1, { ...aBooting(1).status, stage: 'installing' })],
      KNOWN,
      [],
    ],
    [
      'not on one that is a worker',
      [aBooting(1, { ...aBooting(1).status, type: 'worker' })],
      KNOWN,
      [],
    ],
    [
      'not while nothing is known of any, as after a lost status',
      [aBooting(1, { conditions: [] })],
      KNOWN,
      [],
    ],
    [
      'on the one that was chosen, and no other',
      [aBooting(1), aBooting(2)],
      { ...KNOWN, [BOOTSTRAP_MACHINE]: uuidAt(2) },
      ['bootstrap prod-192.0.2.2'],
    ],
    [
      'not on another while the chosen one is silent',
      [aBooting(1), aSilent(2)],
      { ...KNOWN, [BOOTSTRAP_MACHINE]: uuidAt(2) },
      [],
    ],
    [
      'not on another if the chosen one is gone',
      [aBooting(1)],
      { ...KNOWN, [BOOTSTRAP_MACHINE]: uuidAt(2) },
      [],
    ],
    ['not again once it was accepted', [aBooting(1), aBooting(2)], BEGUN, []],
    ['not again if the one that accepted is gone', [aBooting(2)], BEGUN, []],
    ['not where one is a member already', [aBooting(1), aMember(2)], BEGUN, []],
    [
      'not again once etcd was seen, whatever else was removed by hand',
      [aBooting(1), aBooting(2)],
      { ...KNOWN, [ETCD_SEEN]: uuidAt(1) },
      [],
    ],
    [
      'on the chosen one again if the record of its acceptance was removed and etcd was never seen',
      [aBooting(1), aBooting(2)],
      { ...KNOWN, [BOOTSTRAP_MACHINE]: uuidAt(1) },
      ['bootstrap prod-192.0.2.1'],
    ],
  ])('%s', (...[, machines, annotations, steps]) => {
    expect(seen(annotated(annotations), aNewWorld(machines)).steps).toEqual(steps)
  })

  test('never on a machine that is in the spec no more', () => {
    const left = aBooting(1)
    const beside = (other: Machine) => {
      const pool = { ...aWorld().pool, known: [other], surplus: [left] }
      return seen(annotated(KNOWN), { ...aNewWorld([left, other]), pool }).steps
    }

    expect(beside(anUnclaimed(2))).toEqual([])
    expect(beside(aBooting(2))).toEqual(['chooseBootstrap prod-192.0.2.2'])
  })

  test.each([
    [
      'the record of the choice was removed by hand',
      { ...KNOWN, [BOOTSTRAP_ACCEPTED]: uuidAt(1) },
      uuidAt(2),
    ],
    ['it was taken over from an older operator', KNOWN, uuidAt(2)],
    [
      'we crashed between the call and the record',
      { ...KNOWN, [BOOTSTRAP_MACHINE]: uuidAt(1) },
      uuidAt(1),
    ],
  ])('what is seen of etcd is written down when %s', (_title, annotations, uuid) => {
    const world = aWorld({ machines: [aBooting(1), aMember(2)] })
    expect(plan(annotated(annotations), world, NOW).steps).toEqual([
      { do: 'recordBegun', machine: 'prod-192.0.2.2', uuid, on: uuidAt(2) },
    ])
  })

  test('a note that somebody removed is written again, and makes no cluster less ready', () => {
    const { [ETCD_SEEN]: _, ...unseen } = BEGUN
    const { steps, state, reason } = seen(
      annotated(unseen, { state: 'Ready' }),
      aWorld({ machines: [aMember(1)] }),
    )
    expect([steps, state, reason]).toEqual([['recordBegun prod-192.0.2.1'], 'Ready', undefined])
  })

  test('when all machines boot at once it is still known to have begun', () => {
    const { steps, state, reason, message } = seen(
      annotated(BEGUN, { state: 'Ready' }),
      aWorld({ machines: [aBooting(1), aBooting(2)] }),
    )
    expect([steps, state, reason]).toEqual([[], 'Bootstrapped', 'WaitingForEtcd'])
    expect(message).toContain('recover it from a snapshot')
  })

  test('who lost power while it began is asked again if somebody says so, and never once etcd was seen', () => {
    const { [ETCD_SEEN]: _, ...unseen } = BEGUN
    const world = aWorld({ machines: [aBooting(1), aBooting(2)] })
    const messageFor = (annotations: Record<string, string>, of = world) =>
      plan(annotated(annotations), of, NOW).conditions.Ready?.message
    const way = `prod-192.0.2.1 may have lost power before its etcd began: remove the annotation ${BOOTSTRAP_ACCEPTED}`

    expect(messageFor(unseen)).toContain(way)
    expect(messageFor(BEGUN)).not.toContain(BOOTSTRAP_ACCEPTED)
    const off = aWorld({ machines: [aSilent(1), aBooting(2)] })
    expect(messageFor(unseen, off)).not.toContain(BOOTSTRAP_ACCEPTED)
  })

  test('who waits for the chosen machine is told which annotation stands in the way of another', () => {
    const world = aNewWorld([aSilent(1), aBooting(2)])
    const { conditions } = plan(annotated({ ...KNOWN, [BOOTSTRAP_MACHINE]: uuidAt(1) }), world, NOW)
    expect(conditions.Ready?.message).toContain(BOOTSTRAP_MACHINE)
    expect(conditions.Ready?.message).toContain('prod-192.0.2.1: no answer')
  })
})

describe('the status', () => {
  const older = { state: 'Ready' as const, secretBundle: 'b', config: 'c', bundleConfig: '{}' }

  // That it was Ready says that there were secrets. Without those it is not any more, and still was.
  test.each([
    ['to be made', { is: 'to be made', from: 'status' }, 'Ready'],
    ['refused', { is: 'refused', reason: 'SecretsUnusable', message: 'x' }, 'Bootstrapped'],
  ] as const)(
    'keeps what an older operator left while the secrets are %s',
    (_is, secrets, state) => {
      const { status } = plan(annotated({}, older), aWorld({ secrets }), NOW)
      expect(status).toMatchObject({ ...older, state })
    },
  )

  test('lets go of it afterwards', () => {
    const { status } = plan(annotated(BEGUN, older), aWorld(), NOW)
    expect([status.secretBundle, status.config, status.bundleConfig]).toEqual([
      ...[undefined, undefined, undefined],
    ])
  })

  test('has no state while there are no secrets, for it would be taken for a sign of some', () => {
    const secrets = { is: 'to be made', from: 'generated' } as const
    expect(plan(annotated({}), aWorld({ secrets }), NOW).status.state).toBeUndefined()
  })

  test('keeps the version that was seen last while the API is silent', () => {
    const world = aWorld({ api: { is: 'connecting' } })
    const { status } = plan(annotated(BEGUN, { observedKubeVersion: 'v1.34.0' }), world, NOW)
    expect(status.observedKubeVersion).toBe('v1.34.0')
    expect(plan(annotated(BEGUN), aWorld(), NOW).status.observedKubeVersion).toBe('v1.35.0')
  })

  test('a renewal makes nothing less ready than it was', () => {
    const due = [{ what: 'talosconfig' as const, name: 'prod-talosconfig', isNew: false }]
    const { steps, conditions, status } = plan(
      annotated(BEGUN, { state: 'Ready' }),
      aWorld({ due }),
      NOW,
    )
    expect(steps).toEqual([
      { do: 'deliver', what: 'talosconfig', name: 'prod-talosconfig', isNew: false },
    ])
    expect([status.state, conditions.Ready]).toEqual(['Ready', undefined])
  })
})

describe('the Secret with the keys', () => {
  const loose = aWorld({ hold: 'loose' })

  test('is held before any machine needs it', () => {
    const young = plan(annotated(KNOWN), { ...loose, machines: [] }, NOW)
    expect(young.steps).toEqual([{ do: 'holdSecrets', name: 'prod-secrets' }])
    expect(young.conditions.Ready).toMatchObject({ ok: false, reason: 'CreatingSecrets' })
  })

  test('is held without making a cluster less ready that was so before', () => {
    const { steps, status, conditions } = plan(annotated(BEGUN, { state: 'Ready' }), loose, NOW)
    expect(steps).toEqual([{ do: 'holdSecrets', name: 'prod-secrets' }])
    expect([status.state, conditions.Ready]).toEqual(['Ready', undefined])
  })

  test('is missed in time, when somebody deletes it while the cluster is there', () => {
    const { notices, steps, status } = plan(annotated(BEGUN), aWorld({ hold: 'condemned' }), NOW)
    expect(notices).toEqual([
      expect.objectContaining({ type: 'Warning', reason: 'SecretsDeleted' }),
    ])
    expect(notices?.[0]?.message).toContain('Save a copy')
    expect([steps, status.state]).toEqual([[], 'Ready'])
  })
})

describe('when it is looked at again', () => {
  const inMs = (controlPlane: ControlPlane, world: World) =>
    (plan(controlPlane, world, NOW).wakeAt?.getTime() ?? 0) - NOW.getTime()

  test('within the hour though nothing changes, because credentials grow old', () => {
    expect(inMs(annotated(BEGUN), aWorld())).toBe(3_600_000)
  })

  test('within a minute while the spec is wrong, because another object may mend that', () => {
    const problem = { reason: 'ConfigRefMissing' as const, message: 'not there' }
    expect(inMs(annotated(BEGUN), aWorld({ problem }))).toBe(60_000)
  })

  test('within a minute while a node is drained, because nobody tells when its machine is let go', () => {
    expect(inMs(annotated(BEGUN), aWorld({ areNodesMarked: true }))).toBe(60_000)
  })

  test('within a minute if addresses are those of other objects, in case nobody may watch them', () => {
    const machines = [{ machineRef: { kind: 'Host', name: 'a' } }]
    const referring = aControlPlane({
      metadata: { annotations: BEGUN },
      spec: { metalSpec: { machines } },
    })
    expect(inMs(referring, aWorld())).toBe(60_000)
    const unresolved = { reason: 'WaitingForAddress', message: 'x' }
    expect(inMs(referring, aWorld({ unresolved }))).toBe(5_000)
  })
})

test('warnings and Secrets of others are told, and stop nothing that is not for users', () => {
  const taken = [{ what: 'config' as const, name: 'prod-config', why: 'belongs to somebody else' }]
  const warnings = [{ reason: 'EvenControlPlanes' as const, message: 'two' }]
  const { notices, status } = plan(annotated(BEGUN), aWorld({ taken, warnings }), NOW)
  expect(notices?.map(({ type, reason }) => [type, reason])).toEqual([
    ['Warning', 'EvenControlPlanes'],
    ['Warning', 'SecretNameTaken'],
  ])
  expect(status.state).toBe('Ready')
})

test('the order of the rules is that of their importance', () => {
  expect(rules.map(({ name }) => name)).toEqual([
    ...[
      'notBuiltYet',
      'wrongInput',
      'importNeedsKeys',
      'importCluster',
      'secrets',
      'holdSecrets',
      'adopt',
      'recordFacts',
      'endpointTaken',
      'runsAlready',
      'splitEtcd',
      'machines',
      'unresolved',
      'recordBegun',
      'quorumLost',
      'forgetMembers',
      'deliver',
      'turns',
      'uncordonStrays',
      'leaveEtcd',
      'removeSurplus',
    ],
    ...[
      'membersAreNoted',
      'apiIsSilent',
      'allHaveAnswered',
      'chooseBootstrap',
      'bootstrap',
      'endKubelets',
      'stopKubernetes',
      'giveTurn',
      'apiAnswers',
      'inTheWay',
      'notDelivered',
      'kubelets',
      'kubernetes',
      'oldEtcd',
    ],
    'machinesReady',
  ])
})
