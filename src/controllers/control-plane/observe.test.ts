import { beforeAll, describe, expect, test } from 'vitest'
import type { ControlPlane } from '#api/control-plane.ts'
import { INSTALL_DISK } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import { ClusterNodes, type NodesAccess } from '#engine/cluster-nodes.ts'
import { aBundle, stored } from '#engine/cluster-secrets.cases.ts'
import { secretsDraft } from '#engine/cluster-secrets.ts'
import { Credentials } from '#engine/credentials.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aMachine, aWorker, aWorkerMachine, type Overrides } from '#test/builders.ts'
import { aBooting, aMember, NOW } from '#test/control-plane-world.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { quietLog } from '#test/quiet-log.ts'
import { observe } from './observe.ts'

const LEAVING = { deletionTimestamp: NOW.toISOString() }
const WRONG: Overrides<ControlPlane> = {
  spec: {
    metalSpec: {
      machines: [{ address: '192.0.2.1', configPatches: [{ machine: { network: 'eth0' } }] }],
    },
  },
}

let secret: KubeObject
beforeAll(async () => {
  secret = { kind: 'Secret', ...stored(secretsDraft(aControlPlane(), await aBundle(), {})) }
})

/** Notes what becomes of whom, and asks nobody. */
class NotedNodes extends ClusterNodes {
  readonly noted: string[] = []

  override follow(cluster: string, { access }: NodesAccess): void {
    this.noted.push(`follows ${cluster} at ${access.server.host}`)
  }

  override forget(cluster: string): void {
    this.noted.push(`forgets ${cluster}`)
  }
}

/** What is seen of a control plane, where the caches show these objects and the API has those too. */
async function look(
  controlPlane: ControlPlane,
  cached: readonly KubeObject[],
  live: readonly KubeObject[] = [secret],
) {
  const clock = new FakeClock()
  const nodes = new NotedNodes({ clock, log: quietLog(), userAgent: 'test' })
  const { read, asked } = aReader({
    cached: [controlPlane, ...cached],
    live: [controlPlane, ...cached, ...live],
  })
  const world = await observe({
    ...{ clock, nodes, credentials: new Credentials({ clock }) },
    machines: { machine: () => Promise.reject(new Error('a machine is called')) as never }, // by nobody
    ...{ writesMeta: true, newBundle: generateBundle },
  })(controlPlane, read)
  return { world, asked, noted: nodes.noted, due: world.due.map(({ what }) => what) }
}

const FOLLOWED = ['follows default/prod at 192.0.2.10:6443']

describe('a cluster that runs', () => {
  test('is followed, and yields what its users are to be given', async () => {
    const { metadata, ...member } = aMember(1)
    const annotations = { ...metadata.annotations, [INSTALL_DISK]: '/dev/sda' }
    const installed = { ...member, metadata: { ...metadata, annotations } }

    const { world, noted, due } = await look(aControlPlane(), [installed])

    expect(noted).toEqual(FOLLOWED)
    expect(due).toEqual(['kubeconfig', 'talosconfig', 'config', 'state'])
    expect(world).toMatchObject({ problem: undefined, secrets: { is: 'there' } })
    expect(world.means.config).toBeDefined()
  })

  test('is followed while its spec is wrong, and yields credentials, but no configuration', async () => {
    const { world, noted, due } = await look(aControlPlane(WRONG), [aMember(1)])

    expect(world.problem).toMatchObject({ reason: 'ConfigInvalid' })
    expect(noted).toEqual(FOLLOWED)
    expect(due).toEqual(['kubeconfig', 'talosconfig'])
    expect(world.means).toMatchObject({ bundle: {}, access: {} })
    expect(world.means.config).toBeUndefined()
  })

  test('is left as it is while its spec does not say where it is', async () => {
    const lost = aControlPlane({ spec: { endpoint: 'http://192.0.2.10:6443' } })
    const { world, noted, due } = await look(lost, [aMember(1)])

    expect(world.problem).toMatchObject({ reason: 'EndpointInvalid' })
    expect([noted, due]).toEqual([[], []])
  })

  test('is left as it is while its secrets are not to be had', async () => {
    const { world, noted, due } = await look(aControlPlane(), [aMember(1)], [])

    expect(world.secrets).toMatchObject({ is: 'refused', reason: 'SecretsLost' })
    expect([noted, due]).toEqual([[], []])
  })

  test('does not give way to a pool that wants its machine', async () => {
    const pool = aWorker({ spec: { metalSpec: { machines: [{ address: '192.0.2.1' }] } } })

    expect((await look(aControlPlane(), [pool, aMember(1)])).world.problem).toBeUndefined()
    expect((await look(aControlPlane(), [pool])).world.problem).toMatchObject({
      reason: 'AddressDuplicate',
    })
  })
})

describe('a cluster that has not begun', () => {
  test('is followed from the first, and has nothing to give yet', async () => {
    const { noted, due } = await look(aControlPlane(), [aBooting(1)])

    expect([noted, due]).toEqual([FOLLOWED, []])
  })

  test('is not followed, and yields nothing, while its spec is wrong', async () => {
    const { world, noted, due } = await look(aControlPlane(WRONG), [aBooting(1)])

    expect(world.problem).toMatchObject({ reason: 'ConfigInvalid' })
    expect([noted, due]).toEqual([[], []])
  })

  test('has its secrets made first', async () => {
    const { world, noted } = await look(aControlPlane(), [], [])

    expect(world).toMatchObject({
      secrets: { is: 'to be made', from: 'generated' },
      hold: 'absent',
    })
    expect([noted, world.means]).toEqual([[], {}])
  })
})

describe('the machines of a control plane', () => {
  test('are its own, in the order of the spec, and then those that it does not want', async () => {
    const machines = [{ address: '192.0.2.2' }, { address: '192.0.2.1' }]
    const strangers = [
      aMachine({ metadata: { name: 'other' }, spec: { controlPlaneRef: { name: 'other' } } }),
      aWorkerMachine({ spec: { controlPlaneRef: { name: 'prod' } } }),
    ]
    const { world } = await look(aControlPlane({ spec: { metalSpec: { machines } } }), [
      aMember(3),
      aMember(1),
      ...strangers,
      aMember(2),
    ])

    expect(world.machines.map(({ spec }) => spec?.endpoint)).toEqual([
      ...['192.0.2.2', '192.0.2.1', '192.0.2.3'],
    ])
  })

  test('are asked of the API before it goes because it has none', async () => {
    const { world, noted } = await look(
      aControlPlane({ metadata: LEAVING }),
      [],
      [secret, aMember(1)],
    )

    expect(world.machines.map(({ metadata }) => metadata.name)).toEqual(['prod-192.0.2.1'])
    expect(noted).toEqual(FOLLOWED)
  })

  test('are as the caches show them while it stays', async () => {
    const { world, asked } = await look(aControlPlane(), [], [secret, aMember(1)])

    expect(world.machines).toEqual([])
    expect(asked).not.toContain('TalosMachine prod-192.0.2.1')
  })

  test('are all that keep a cluster that goes in memory', async () => {
    const leaving = aControlPlane({ metadata: LEAVING })

    expect((await look(leaving, [aMember(1)])).noted).toEqual(FOLLOWED)
    expect((await look(leaving, [])).noted.at(-1)).toBe('forgets default/prod')
  })
})

test('the pools of a control plane are those that name it', async () => {
  const other = aWorker({ metadata: { name: 'x' }, spec: { controlPlaneRef: { name: 'other' } } })

  expect((await look(aControlPlane(), [aWorker(), other])).world.workers).toEqual(['pool'])
})

describe('pools that no cache shows', () => {
  const leaving = aControlPlane({ metadata: LEAVING })
  const going = { ...aMember(1), metadata: { ...aMember(1).metadata, ...LEAVING } }
  const other = aWorker({ metadata: { name: 'x' }, spec: { controlPlaneRef: { name: 'other' } } })
  const live = () => [secret, aWorker(), other]

  test.each([
    ['one of its machines goes', [aMember(1)]],
    ['it goes itself', []],
  ])('are asked for before %s', async (_what, cached) => {
    expect((await look(leaving, cached, live())).world.workers).toEqual(['pool'])
  })

  test.each([
    ['it stays', aControlPlane(), [aMember(1)]],
    ['its machines are on their way out', leaving, [going]],
    ['a cache shows one', leaving, [aMember(1), aWorker()]],
  ])('are not asked for while %s', async (_what, controlPlane, cached) => {
    expect((await look(controlPlane, cached, live())).asked).not.toContain('all TalosWorker')
  })
})
