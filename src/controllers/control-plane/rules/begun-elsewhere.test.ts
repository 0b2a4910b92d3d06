import { describe, expect, test } from 'vitest'
import {
  BOOTSTRAP_ACCEPTED,
  BOOTSTRAP_MACHINE,
  CLUSTER_ID,
  CONTRACT,
  ETCD_FORGOTTEN,
  ETCD_LEFT,
  ETCD_MEMBER,
  ETCD_SEEN,
  KUBE_VERSION,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { plan } from '#controllers/control-plane/plan.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { aControlPlane } from '#test/builders.ts'
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

const KNOWN = { [CLUSTER_ID]: 'id-1', [CONTRACT]: 'v1.13', [KUBE_VERSION]: 'v1.35.0' }
const CHOSEN = { [BOOTSTRAP_MACHINE]: uuidAt(1) }
const ANSWERING = { is: 'answering' as const, version: 'v1.35.0' }
const REFUSED = { ...UNREACHABLE, reason: 'Refused' as const }
const UNTRUSTED = { ...UNREACHABLE, reason: 'Untrusted' as const }
const BROUGHT = { is: 'there' as const, clusterId: 'id-1', areBrought: true }

const marked = (machine: Machine, annotations: Record<string, string>): Machine => {
  const { metadata } = machine
  return {
    ...machine,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
  }
}
const noted = (at: number, more = {}) =>
  marked(aBooting(at), { [ETCD_MEMBER]: `${at}`.padStart(16, '0'), ...more })

const decided = (world: Partial<World>, annotations: Record<string, string> = {}) => {
  const controlPlane = aControlPlane({ metadata: { annotations: { ...KNOWN, ...annotations } } })
  const { steps, conditions, status } = plan(controlPlane, aWorld(world), NOW)
  const { reason, message = '' } = conditions.Ready ?? {}
  return { steps: steps.map((step) => step.do), reason, message, state: status.state }
}

describe('an API that answers with the keys of the cluster', () => {
  test.each([
    ['answers', ANSWERING],
    ['does not let us in', REFUSED],
  ])('and %s keeps every machine from its configuration where nothing has begun', (_how, api) => {
    const { steps, reason, state, message } = decided({ machines: [], api })

    expect([steps, reason, state]).toEqual([[], 'ClusterRunsAlready', 'Pending'])
    expect(message).toContain('reconcile-mode: import')
    expect(message).toContain('another name')
    expect(message).toContain('prod-secrets')
  })

  test.each([
    ['answers', ANSWERING, 'ClusterRunsAlready'],
    ['does not let us in', REFUSED, 'ClusterRunsAlready'],
    ['is not known to', { is: 'connecting' as const }, 'CheckingEndpoint'],
    ['is of somebody else', UNTRUSTED, 'EndpointOfAnotherCluster'],
  ])('and %s is reason not to begin on a machine that is up', (_how, api, expected) => {
    const { steps, reason } = decided({ machines: [aBooting(1)], api })

    expect([steps, reason]).toEqual([[], expected])
  })

  test('is waited for where a machine was chosen, which may have been asked by one that died', () => {
    const { steps, reason, message } = decided({ machines: [aBooting(1)], api: ANSWERING }, CHOSEN)

    expect([steps, reason]).toEqual([[], 'WaitingForEtcd'])
    expect(message).toContain('prod-192.0.2.1')
    expect(message).toContain('If this lasts')
  })

  test('is waited for while a machine that has its configuration does not answer', () => {
    const { steps, reason, message } = decided({
      ...{ machines: [aBooting(1), aSilent(2)], api: ANSWERING },
    })

    expect([steps, reason]).toEqual([[], 'WaitingForMachines'])
    expect(message).toContain('prod-192.0.2.2: no answer')
  })

  test('is that of another where the one that was chosen is gone', () => {
    expect(decided({ machines: [aBooting(2)], api: ANSWERING }, CHOSEN).reason).toBe(
      'ClusterRunsAlready',
    )
  })

  test.each([
    ['a member is seen', [aMember(1)], {}],
    ['a machine of a former operator is there', [older(1)], {}],
    ['it was accepted', [aBooting(1)], { ...CHOSEN, [BOOTSTRAP_ACCEPTED]: uuidAt(1) }],
    ['etcd was seen', [aBooting(1)], { [ETCD_SEEN]: uuidAt(1) }],
  ])('is as it should be when %s', (_title, machines, annotations) => {
    const { reason } = decided({ machines, api: ANSWERING }, annotations)

    expect(reason).not.toBe('ClusterRunsAlready')
  })
})

function older(at: number): Machine {
  return { ...anUnclaimed(at), status: { config: 'of an older operator' } }
}

describe('a machine that is noted as a member of etcd', () => {
  test('says that the cluster has begun, though the control plane lost all that it knew', () => {
    const { steps, reason, message } = decided({ machines: [noted(1), noted(2)], api: UNREACHABLE })

    expect([steps, reason]).toEqual([[], 'WaitingForEtcd'])
    expect(message).toContain('never begun empty again')
  })

  test('says so also of a cluster that was to begin on another one', () => {
    const machines = [aBooting(1), noted(2)]

    expect(decided({ machines, api: UNREACHABLE }, CHOSEN).steps).toEqual([])
  })

  test.each([
    ['it left etcd', { [ETCD_LEFT]: 'true' }],
    ['etcd knows nothing of it', { [ETCD_FORGOTTEN]: '2'.padStart(16, '0') }],
  ])('says nothing once %s', (_title, more) => {
    const machines = [aBooting(1), noted(2, more)]

    expect(decided({ machines, api: UNREACHABLE }).steps).toEqual(['chooseBootstrap'])
  })
})

describe('keys that were not made for this control plane', () => {
  const seen = (at: number): Machine => ({ ...anUnclaimed(at), status: { uuid: uuidAt(at) } })

  test('are used when each machine has answered once, and who has not is named', () => {
    const machines = [aBooting(1), anUnclaimed(2)]
    const { steps, reason, message } = decided({ machines, api: UNREACHABLE, secrets: BROUGHT })

    expect([steps, reason]).toEqual([[], 'WaitingForMachines'])
    expect(message).toContain('prod-192.0.2.2: not looked at yet')
    expect(message).toContain('Take out of spec.metalSpec.machines')
  })

  test('begin a cluster of machines that have answered, whatever they do now', () => {
    const world = { machines: [aBooting(1), seen(2)], api: UNREACHABLE, secrets: BROUGHT }

    expect(decided(world).steps).toEqual(['chooseBootstrap'])
  })

  test('keep the one that was chosen from beginning, too', () => {
    const world = { machines: [aBooting(1), anUnclaimed(2)], api: UNREACHABLE, secrets: BROUGHT }

    expect(decided(world, CHOSEN).steps).toEqual([])
    expect(decided({ ...world, machines: [aBooting(1)] }, CHOSEN).steps).toEqual(['bootstrap'])
  })

  test('change nothing for a cluster that has begun', () => {
    const world = { machines: [aMember(1), aSilent(2), anUnclaimed(3)], secrets: BROUGHT }

    expect(decided(world, { [ETCD_SEEN]: uuidAt(1) }).reason).not.toBe('WaitingForMachines')
  })
})
