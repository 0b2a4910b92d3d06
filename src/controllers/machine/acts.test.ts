import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ADOPTED,
  ETCD_FORGOTTEN,
  ETCD_MEMBER,
  INSTALL_DISK,
  MACHINE_UUID,
  RESET_ACCEPTED,
} from '#api/labels.ts'
import { systemClock } from '#base/clock.ts'
import { ClusterNodes } from '#engine/cluster-nodes.ts'
import { Credentials } from '#engine/credentials.ts'
import { LongCalls } from '#engine/long-calls.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { configFingerprint, wantedConfig } from '#engine/wanted-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import type { Writer } from '#runtime/writer.ts'
import { TalosClient } from '#talos/client.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { aWorld, OTHER_UUID, UUID } from '#test/machine-world.ts'
import { lentBy } from '#test/our-client/lent-machine.ts'
import { type OurFleet, ourFleet } from '#test/our-client/our-fleet.ts'
import { quietLog } from '#test/quiet-log.ts'
import { acts } from './acts.ts'
import { ConfigFingerprints } from './config-fingerprints.ts'
import { look } from './look.ts'
import { SentConfigs } from './sent-configs.ts'

// Against machines of the simulator, over TLS.

const NAMES = [
  'right',
  'swapped',
  'tried',
  'unclaimed',
  'lost',
  'dry',
  'refusing',
  'one',
  'two',
  'silent',
]
let our: OurFleet
let client: TalosClient
let bundle: SecretsBundle
let access: ClusterAccess

beforeAll(async () => {
  our = await ourFleet('127.62.2', Object.fromEntries(NAMES.map((name) => [name, 'v1.13.0'])))
  client = new TalosClient()
  bundle = await generateBundle({ talosVersion: 'v1.6', now: new Date() })
  access = await new Credentials({ clock: systemClock }).of(bundle, 'default/prod')
})

afterAll(async () => {
  client?.close()
  await our?.[Symbol.asyncDispose]()
})

const machines: TalosMachines = {
  machine: (target) => client.machine({ ...our.target('right'), ...target }),
}

/** Notes what is deleted. */
class Nodes extends ClusterNodes {
  readonly deleted: unknown[] = []

  override async deleteNode(...[cluster, node]: Parameters<ClusterNodes['deleteNode']>) {
    this.deleted.push([cluster, node])
    return 'deleted' as const
  }
}
const nodes = new Nodes({ clock: systemClock, log: quietLog(), userAgent: 'test' })

const actsThrough = (through: TalosMachines) =>
  acts({
    clock: systemClock,
    machines: through,
    credentials: new Credentials({ clock: systemClock }),
    nodes,
    sent: new SentConfigs({ clock: systemClock }),
    long: new LongCalls({ clock: systemClock }),
    writesMeta: true,
    newBundle: generateBundle,
  })

const uuidOf = (name: string) => our.inside(name).hardware.uuid.toLowerCase()

/** A step's surroundings: an object that stands for a machine, and all that a look would have found. */
function occasion(name: string, { uuid = uuidOf(name), metaText = 'addresses: []' } = {}) {
  const patches: unknown[] = []
  const resource = aMachine({
    metadata: { annotations: { [MACHINE_UUID]: uuid }, resourceVersion: '42' },
    spec: { endpoint: our.address(name) },
  })
  const config = wantedConfig({
    ...{ controlPlane: aControlPlane(), machine: resource, bundle, installDisk: '/dev/sda' },
  })
  const fingerprint = configFingerprint(config)
  const refuse = () => Promise.reject(new Error('nothing of this is to be written'))
  const write: Writer = {
    signal: new AbortController().signal,
    ...{ create: refuse, apply: refuse, remove: refuse },
    patch: async (kind, of, patch) => {
      patches.push([kind.kind, of, patch])
      return refuse().catch(() => resource as never) // nobody looks at what it yields
    },
  }
  const world = aWorld({
    wanted: { is: 'known', fingerprint, origin: 'as-edited', metaText },
    means: { access, config: () => config },
  })
  return { resource, world, write, patches, uuid, config: fingerprint }
}

const isOf = (name: string) =>
  look({
    ...{ machines, address: our.address(name), access: async () => access, isClaimed: true },
    ...{
      fingerprints: new ConfigFingerprints(),
      readsMeta: true,
      readsBoot: true,
      isSettled: false,
    },
    signal: new AbortController().signal,
  })

/** Waits until a machine is seen as this. */
const becomes = (name: string, wanted: string) =>
  our.answers(
    `${name} to be ${wanted}`,
    () => isOf(name),
    ({ is }) => is === wanted,
  )

const configured = async (name: string) => {
  const on = occasion(name)
  await actsThrough(machines).configure({ do: 'configure', uuid: on.uuid, config: on.config }, on)
  await becomes(name, 'member')
}

test('a member that is written down is forgotten no more', async () => {
  const step = { do: 'noteMember', member: 'b' } as const
  const on = occasion('right')
  await actsThrough(machines).noteMember(step, on)
  const annotations = { ...on.resource.metadata.annotations, [ETCD_FORGOTTEN]: 'a' }
  const metadata = { ...on.resource.metadata, annotations }
  await actsThrough(machines).noteMember(step, { ...on, resource: { ...on.resource, metadata } })

  const noted = on.patches.map((patch) => Object(patch)[2].body.metadata.annotations)
  expect(noted).toEqual([{ [ETCD_MEMBER]: 'b' }, { [ETCD_MEMBER]: 'b', [ETCD_FORGOTTEN]: null }])
})

describe('a machine that runs', () => {
  test('is marked as one that somebody else made when it becomes ours', async () => {
    const on = occasion('right')
    await actsThrough(machines).adopt({ do: 'adopt', uuid: UUID, disk: '/dev/sda' }, on)

    const annotations = { [MACHINE_UUID]: UUID, [ADOPTED]: 'true', [INSTALL_DISK]: '/dev/sda' }
    expect(on.patches).toMatchObject([
      [
        expect.anything(),
        expect.anything(),
        { body: { metadata: { resourceVersion: '42', annotations } } },
      ],
    ])
  })

  test('loses that mark when it waits for a configuration, which is ours then', async () => {
    const on = occasion('right')
    on.resource.metadata.annotations = { [MACHINE_UUID]: UUID, [ADOPTED]: 'true' }
    const config = { origin: 'o', config: 'c' }
    await actsThrough(machines).claim({ do: 'claim', uuid: UUID, config }, on)

    expect(on.patches).toMatchObject([
      [
        expect.anything(),
        expect.anything(),
        { body: { metadata: { annotations: { [ADOPTED]: null } } } },
      ],
    ])
  })
})

test('a claim is written on exactly the version that was looked at', async () => {
  const on = occasion('right')
  await actsThrough(machines).claim({ do: 'claim', uuid: UUID, disk: '/dev/sda' }, on)

  expect(on.patches).toEqual([
    [
      'TalosMachine',
      on.resource.metadata.name,
      {
        type: 'merge',
        body: {
          metadata: {
            resourceVersion: '42',
            annotations: { [MACHINE_UUID]: UUID, [INSTALL_DISK]: '/dev/sda' },
          },
        },
      },
    ],
  ])
})

describe('a configuration', () => {
  const configure = (on: ReturnType<typeof occasion>, through = machines) =>
    actsThrough(through).configure({ do: 'configure', uuid: on.uuid, config: on.config }, on)

  test('is given to the machine that is meant, and is what it then has', async () => {
    const on = occasion('right')
    await configure(on)

    expect(await becomes('right', 'member')).toMatchObject({
      ...{ uuid: on.uuid, fingerprint: on.config },
    })
    expect(on.patches).toEqual([])
  })

  test('does not reach a machine that is at the address since the look', async () => {
    const on = occasion('swapped')
    await isOf('swapped')
    our.fault('wrong-machine', 'swapped')
    await our.waiting(['swapped'])

    await expect(configure(on)).rejects.toMatchObject({ outcome: 'wrong-identity' })
    expect(await isOf('swapped')).toMatchObject({ is: 'waiting', uuid: uuidOf('swapped') })
    expect(uuidOf('swapped')).not.toBe(on.uuid)
  })

  test('does not reach a machine that is at the address since it was tried', async () => {
    const on = occasion('tried')
    const swapping = onApply(
      () => {},
      async () => {
        our.fault('wrong-machine', 'tried')
        await our.waiting(['tried'])
      },
    )

    await expect(configure(on, swapping)).rejects.toMatchObject({ outcome: 'unreachable' })
    expect(await isOf('tried')).toMatchObject({ is: 'waiting', uuid: uuidOf('tried') })
  })

  test('is not given to a machine that is not written down as ours, whatever the plan says', async () => {
    const on = { ...occasion('unclaimed', { uuid: OTHER_UUID }), uuid: uuidOf('unclaimed') }

    await expect(configure(on)).rejects.toThrow('not of this look')
    expect(await isOf('unclaimed')).toMatchObject({ is: 'waiting' })
  })

  test('that is another than the plan means is not given to anybody', async () => {
    const on = { ...occasion('unclaimed'), config: 'of another look' }

    await expect(configure(on)).rejects.toThrow('not of this look')
    expect(await isOf('unclaimed')).toMatchObject({ is: 'waiting' })
  })

  test('whose answer is lost is no failure: the next look tells', async () => {
    const losing = onApply(() => our.fault('loses-reply', 'lost', 'call=/ApplyConfiguration'))
    await configure(occasion('lost'), losing)

    expect(await becomes('lost', 'member')).toMatchObject({ uuid: uuidOf('lost') })
  })

  test('that could not even be tried is not given', async () => {
    our.fault('loses-reply', 'dry', 'call=/ApplyConfiguration')

    await expect(configure(occasion('dry'))).rejects.toMatchObject({ outcome: 'lost' })
    expect(await isOf('dry')).toMatchObject({ is: 'waiting' })
  })

  test('that the machine refuses fails with its words, and without a secret', async () => {
    our.fault('rejects-config', 'refusing')
    const error = await configure(occasion('refusing')).catch((thrown: unknown) => thrown)
    const words = String(error)

    expect(error).toMatchObject({ outcome: 'refused' })
    expect(words).toContain('the machine refuses every configuration')
    for (const secret of [bundle.trustdToken, bundle.bootstrapToken, bundle.cluster.secret]) {
      expect(words).not.toContain(secret.open())
    }
    expect(await isOf('refusing')).toMatchObject({ is: 'waiting' })
  })
})

describe('a machine of the cluster', () => {
  beforeAll(async () => {
    await Promise.all(['one', 'two', 'silent'].map(configured))
  })

  const writeMeta = (on: ReturnType<typeof occasion>) =>
    actsThrough(machines).writeMeta({ do: 'writeMeta', uuid: on.uuid }, on)
  const reset = (on: ReturnType<typeof occasion>) =>
    actsThrough(machines).reset({ do: 'reset', uuid: on.uuid, graceful: false }, on)

  test('has its network written to META, if it is the one that is meant', async () => {
    await expect(writeMeta(occasion('two', { uuid: uuidOf('one') }))).rejects.toMatchObject({
      outcome: 'wrong-identity',
    })
    expect(await isOf('two')).toMatchObject({ metaText: '' })
    await writeMeta(occasion('two'))
    expect(await isOf('two')).toMatchObject({ metaText: 'addresses: []' })
  })

  test('is not reset in place of another one whose address it has now', async () => {
    const on = occasion('two', { uuid: uuidOf('one') })

    await expect(reset(on)).rejects.toMatchObject({ outcome: 'wrong-identity' })
    expect(on.patches).toEqual([])
    expect(await isOf('two')).toMatchObject({ is: 'member' })
  })

  test('is not reset for an object that does not have it written down', async () => {
    const on = { ...occasion('two', { uuid: OTHER_UUID }), uuid: uuidOf('two') }

    await expect(reset(on)).rejects.toThrow('not of this look')
    expect(await isOf('two')).toMatchObject({ is: 'member' })
  })

  test('is not reset without the keys of the cluster', async () => {
    const { world, ...on } = occasion('two')

    await expect(reset({ ...on, world: { ...world, means: {} } })).rejects.toThrow()
    expect(await isOf('two')).toMatchObject({ is: 'member' })
  })

  test('that accepts to be reset is wiped, and when it accepted is written down', async () => {
    const on = occasion('one')
    await reset(on)

    expect(on.patches).toEqual([
      [
        'TalosMachine',
        on.resource.metadata.name,
        {
          type: 'merge',
          body: {
            metadata: { annotations: { [RESET_ACCEPTED]: expect.stringMatching(/^\d{4}-/) } },
          },
        },
      ],
    ])
    expect(await becomes('one', 'waiting')).toMatchObject({ uuid: on.uuid })
  })

  test('whose answer to a reset is lost is not said to have accepted', async () => {
    const on = occasion('silent')
    our.fault('loses-reply', 'silent', 'call=/Reset')
    await reset(on)

    expect(on.patches).toEqual([])
    expect(await becomes('silent', 'waiting')).toMatchObject({ uuid: on.uuid })
  })
})

test('a node is deleted by its name and uid, in the cluster of the machine', async () => {
  await actsThrough(machines).deleteNode(
    { do: 'deleteNode', node: 'cp-1', uid: 'u' },
    occasion('unclaimed'),
  )

  expect(nodes.deleted).toEqual([['default/prod', { name: 'cp-1', uid: 'u' }]])
})

/** Does something right before a configuration is applied in earnest, or after it was tried. */
function onApply(before: () => void, afterTrying = async () => {}): TalosMachines {
  return lentBy(machines, (same) => {
    const { configuration } = same
    const apply: typeof configuration.apply = async (application, options) => {
      if (!application.dryRun) before()
      const applied = await configuration.apply(application, options)
      if (application.dryRun) await afterTrying()
      return applied
    }
    return { ...same, configuration: { ...configuration, apply } }
  })
}
