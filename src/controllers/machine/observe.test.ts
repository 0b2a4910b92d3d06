import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FORCE_DELETION, MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { ApiKind, KubeObject } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import { ClusterNodes } from '#engine/cluster-nodes.ts'
import { stored } from '#engine/cluster-secrets.cases.ts'
import { secretsDraft } from '#engine/cluster-secrets.ts'
import { Credentials } from '#engine/credentials.ts'
import { LongCalls } from '#engine/long-calls.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import type { Reader } from '#runtime/reader.ts'
import { TalosClient } from '#talos/client.ts'
import { MachineError } from '#talos/outcome.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { aClaimedMachine, NOW, UUID } from '#test/machine-world.ts'
import { quietLog } from '#test/quiet-log.ts'
import { ConfigChanges } from './config-change.ts'
import { ConfigFingerprints } from './config-fingerprints.ts'
import { observe } from './observe.ts'
import { SentConfigs } from './sent-configs.ts'

const LEAVING = { deletionTimestamp: NOW.toISOString() }
let secret: ReturnType<typeof stored>

beforeAll(async () => {
  const bundle = await generateBundle({ talosVersion: 'v1.6', now: new Date() })
  secret = stored(secretsDraft(aControlPlane(), bundle, {}))
})

/** A Kubernetes with these objects. */
function reading(...objects: KubeObject[]): Reader {
  const found = (kind: ApiKind, name: string) =>
    objects.find((object) => object.kind === kind.kind && object.metadata.name === name)
  const fetched = (kind: ApiKind, name: string) =>
    kind.kind === 'Secret' && name === secret.metadata.name ? secret : found(kind, name)
  return {
    signal: new AbortController().signal,
    get: (kind, name) => found(kind, name) as never, // of the kind that was asked for
    list: (kind) => objects.filter((object) => object.kind === kind.kind) as never[], // the same
    find: () => [],
    count: () => 0,
    fetch: async (kind, name) => fetched(kind, name) as never, // the same
    fetchAll: () => Promise.reject(new Error('nobody asks for all')),
    fetchAny: () => Promise.reject(new Error('nobody asks for that')),
  }
}

const client = new TalosClient()
afterAll(() => client.close())

/** Machines that nobody reaches, and the addresses at which they were asked. */
function silence() {
  const asked: string[] = []
  const machines: TalosMachines = {
    machine: (target) => {
      asked.push(target.address)
      return client.machine({ ...target, address: '127.0.0.1', port: 1 })
    },
  }
  return { asked, machines }
}

/** Machines that wait for a configuration. */
const waiting: TalosMachines = {
  machine: () => {
    const same = {
      state: {
        systemInformation: async () => ({ uuid: UUID }),
        version: async () => 'v1.6.0',
        disks: async () => [],
      },
      storage: { disks: async () => [] },
    }
    // What else it can be asked, nobody asks.
    return { bound: (work: (bound: typeof same) => unknown) => work(same) } as never // no more of it
  },
}

/** Machines that wait, and say so to whoever asks them as one of a cluster. */
const waitingAgain: TalosMachines = {
  machine: (target) => {
    if (target.access.kind === 'maintenance') return waiting.machine(target)
    const details = { outcome: 'wrong-identity', mismatch: 'in-maintenance' } as const
    const bound = () => Promise.reject(new MachineError({ ...details, message: 'it waits' }))
    return { bound } as never // no more of it
  },
}

const looking = ({ machines }: { machines: TalosMachines }) =>
  observe({
    machines,
    clock: systemClock,
    credentials: new Credentials({ clock: systemClock }),
    nodes: new ClusterNodes({ clock: systemClock, log: quietLog(), userAgent: 'test' }),
    sent: new SentConfigs({ clock: systemClock }),
    long: new LongCalls({ clock: systemClock }),
    fingerprints: new ConfigFingerprints(),
    changes: new ConfigChanges(),
    writesMeta: true,
    newBundle: generateBundle,
  })

describe('what goes without its machine', () => {
  const letGo: [string, Machine][] = [
    ['by force', aClaimedMachine({ [FORCE_DELETION]: 'true' }, { metadata: LEAVING })],
    [
      'because it is preserved',
      aClaimedMachine({}, { metadata: LEAVING, spec: { deletionPolicy: 'preserve' } }),
    ],
    ['because it was never claimed', aMachine({ metadata: LEAVING })],
  ]

  test.each(letGo)('asks nobody anything: %s', async (_, machine) => {
    const network = silence()
    const read = reading(aControlPlane(), machine)
    const fetch = () => Promise.reject(new Error('the API is away'))

    expect(await looking(network)(machine, { ...read, fetch })).toMatchObject({
      ...{ seen: { is: 'unasked' }, means: {} },
    })
    expect(network.asked).toEqual([])
  })
})

test('a machine that goes is looked for, and given nothing any more', async () => {
  const network = silence()
  const machine = aClaimedMachine({}, { metadata: LEAVING })

  expect(await looking(network)(machine, reading(aControlPlane(), machine))).toMatchObject({
    seen: { is: 'silent' },
    wanted: { is: 'waiting' },
  })
  expect(network.asked).toEqual(['192.0.2.1'])
})

test('for a machine that does not answer nothing is fetched and nothing is made', async () => {
  const machine = aMachine({ spec: { configRef: { name: 'mine', key: 'config.yaml' } } })
  const read = reading(aControlPlane(), machine)
  const fetch = () => Promise.reject(new Error('the API is asked'))

  expect(await looking(silence())(machine, { ...read, fetch })).toMatchObject({
    ...{ seen: { is: 'silent' }, means: {} },
  })
})

test('a machine without its parent is not asked anything', async () => {
  const network = silence()

  expect(await looking(network)(aClaimedMachine(), reading())).toMatchObject({
    parent: { is: 'missing', what: 'TalosControlPlane prod' },
    seen: { is: 'unasked' },
  })
  expect(network.asked).toEqual([])
})

test('secrets that cannot be read are as good as none', async () => {
  const network = silence()
  const machine = aClaimedMachine()
  const read = reading(aControlPlane(), machine)
  const broken = { metadata: secret.metadata, data: {} }
  const fetch: Reader['fetch'] = async () => broken as never // of the only kind that is asked for

  expect(await looking(network)(machine, { ...read, fetch })).toMatchObject({
    seen: { is: 'unasked' },
    wanted: { is: 'waiting', reason: 'WaitingForSecrets' },
  })
})

test.each<[string, 'True' | 'False', number, boolean]>([
  ['for minutes', 'True', 300, true],
  ['for a moment', 'True', 5, false],
  ['not at all', 'False', 300, false],
])('nobody needs a connection after a look at one that is ready %s: %s', async (...one) => {
  const [, status, seconds, isExpected] = one
  const lastTransitionTime = new Date(Date.now() - seconds * 1_000).toISOString()
  const ready = { type: 'Ready', status, reason: 'X', message: '', lastTransitionTime } as const
  const machine = aClaimedMachine({}, { status: { conditions: [ready] } })
  const well = { stage: 'running', isReady: true, isKubeletWell: true }
  let isLast: boolean | undefined
  const bound = async (_: unknown, how: { isLast: (seen: typeof well) => boolean }) => {
    isLast = how.isLast(well)
    throw new MachineError({ message: 'gone', outcome: 'unreachable' })
  }
  const machines: TalosMachines = { machine: () => ({ bound }) as never } // no more of it

  await looking({ machines })(machine, reading(aControlPlane(), machine))
  expect(isLast).toBe(isExpected)
})

describe('what a machine booted is asked', () => {
  const SCHEMATIC = 'a'.repeat(64)
  const machineSpec = {
    ...{ wipe: false, airGap: false, imageCache: false, allowSchedulingOnControlPlanes: false },
    image: `factory.talos.dev/metal-installer/${SCHEMATIC}`,
  }
  const condition = (status: 'True' | 'False') => ({
    ...{ type: 'Ready', status, reason: 'X', message: '' },
    lastTransitionTime: new Date(Date.now() - 300_000).toISOString(),
  })
  const isAsked = async (
    status: NonNullable<Machine['status']>,
    spec: Partial<Machine['spec']>,
  ) => {
    const known = { observedVersion: 'v1.13.0', conditions: [condition('True')], ...status }
    const machine = aClaimedMachine({}, { spec: { ...spec }, status: known })
    let asked = false
    const nothing = async () => undefined
    const same = {
      version: async () => ({ version: 'v1.13.0' }),
      bootId: async () => {
        asked = true
        return 'b1'
      },
      state: {
        systemInformation: async () => ({ uuid: UUID }),
        status: async () => ({ stage: 'running', isReady: true, unmetConditions: [] }),
        ...{ configuration: nothing, machineType: async () => 'worker', metaKey: nothing },
        ...{ schematic: async () => SCHEMATIC, extensions: async () => [] },
      },
      cluster: { nodename: nothing, nodeAddresses: async () => [] },
    }
    const bound = (work: (on: typeof same) => unknown) => work(same)
    const machines: TalosMachines = { machine: () => ({ bound }) as never } // no more of it
    await looking({ machines })(machine, reading(aControlPlane(), machine))
    return asked
  }

  test('whenever it may be of another schematic than it is to be', async () => {
    expect(await isAsked({}, { machineSpec })).toBe(true)
    expect(await isAsked({ observedSchematic: 'another' }, { machineSpec })).toBe(true)
    const conditions = [condition('False')]
    expect(await isAsked({ observedSchematic: SCHEMATIC, conditions }, { machineSpec })).toBe(true)
  })

  test('not at rest, and not if its image says of no schematic', async () => {
    expect(await isAsked({ observedSchematic: SCHEMATIC }, { machineSpec })).toBe(false)
    expect(await isAsked({ conditions: [condition('False')] }, {})).toBe(false)
  })
})

test('one that was ready and has lost all is given keys as the API has them, not as they are remembered', async () => {
  const lastTransitionTime = new Date(Date.now() - 300_000).toISOString()
  const [type, status, reason] = ['Ready', 'True', 'X'] as const
  const ready = { type, status, reason, message: '', lastTransitionTime }
  const machine = aClaimedMachine({}, { status: { observedGeneration: 1, conditions: [ready] } })
  const observing = looking({ machines: waitingAgain })
  const fetchAny: Reader['fetchAny'] = async () => ({ is: 'found', object: machine })
  const read = { ...reading(aControlPlane(), machine), fetchAny }
  await observing(machine, read)
  const fetch: Reader['fetch'] = async () => undefined

  expect(await observing(machine, { ...read, fetch })).toMatchObject({
    seen: { is: 'waiting' },
    wanted: { is: 'waiting', reason: 'WaitingForSecrets' },
  })
})

test('of many that are looked at together a few ask for their keys at once, and all of them get theirs', async () => {
  const observing = looking(silence())
  const machine = aClaimedMachine()
  const read = reading(aControlPlane(), machine)
  let [underWay, most, asked] = [0, 0, 0]
  const fetch: Reader['fetch'] = async () => {
    asked += 1
    underWay += 1
    most = Math.max(most, underWay)
    await new Promise(setImmediate)
    underWay -= 1
    if (asked % 5 === 0) throw new Error('the API is away')
    return undefined
  }
  const looks = Array.from({ length: 20 }, () => observing(machine, { ...read, fetch }))
  const results = await Promise.allSettled(looks)

  expect([most, asked]).toEqual([4, 20])
  expect(results.some(({ status }) => status === 'rejected')).toBe(true)
})

test.each<[string, Machine | undefined, boolean]>([
  ['is as it is seen', aClaimedMachine(), false],
  ['is gone', undefined, true],
  ['is deleted', aMachine({ metadata: { ...aClaimedMachine().metadata, ...LEAVING } }), true],
  ['was made anew', aMachine({ metadata: { uid: 'another' } }), true],
])(
  'before a machine that waits is installed, the API is asked for its object, which %s',
  async (...[, live, isOld]) => {
    const read: Reader = {
      ...reading(aControlPlane()),
      fetchAny: async () => (live ? { is: 'found', object: live } : { is: 'absent' }),
    }

    expect((await looking({ machines: waitingAgain })(aClaimedMachine(), read)).isOld).toBe(isOld)
  },
)

test('a configRef that leads nowhere is told by its names', async () => {
  const machine = aMachine({ spec: { configRef: { name: 'mine', key: 'config.yaml' } } })
  const { wanted } = await looking({ machines: waiting })(
    machine,
    reading(aControlPlane(), machine),
  )

  expect(wanted).toMatchObject({ is: 'wrong', reason: 'ConfigRefMissing' })
  expect('message' in wanted && wanted.message).toMatch(/ConfigMap mine with a key config.yaml/)
})

test('a configRef that may lead nowhere is then as good as none', async () => {
  const configRef = { name: 'mine', key: 'config.yaml', optional: true }
  const machine = aMachine({ spec: { configRef } })
  const { wanted } = await looking({ machines: waiting })(
    machine,
    reading(aControlPlane(), machine),
  )

  expect(wanted).not.toMatchObject({ reason: 'ConfigRefMissing' })
})

test('nodes that nobody follows are not taken for nodes that are not there', async () => {
  const machine = aMachine({ metadata: { annotations: { [MACHINE_UUID]: UUID } } })

  expect(await looking(silence())(machine, reading(aControlPlane(), machine))).toMatchObject({
    ...{ node: undefined, areNodesKnown: false },
  })
})
