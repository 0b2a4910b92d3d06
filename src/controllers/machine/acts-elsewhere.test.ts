import { afterEach, describe, expect, test } from 'vitest'
import { MACHINE_UUID } from '#api/labels.ts'
import { systemClock } from '#base/clock.ts'
import { ClusterNodes } from '#engine/cluster-nodes.ts'
import { Credentials } from '#engine/credentials.ts'
import { LongCalls } from '#engine/long-calls.ts'
import { configFingerprint, wantedConfig } from '#engine/wanted-config.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import type { Writer } from '#runtime/writer.ts'
import { aCluster } from '#talos/a-machine.cases.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { aWorld } from '#test/machine-world.ts'
import { type ChangingPlaces, changingPlaces, MEANT } from '#test/our-client/changing-places.ts'
import { quietLog } from '#test/quiet-log.ts'
import { acts } from './acts.ts'
import { SentConfigs } from './sent-configs.ts'

// What is done to a machine, while another one takes its address: of any cluster in maintenance mode,
// otherwise of the same one.

const cluster = aCluster()
const bundle = await generateBundle({ talosVersion: 'v1.6', now: new Date() })
const resource = aMachine({
  metadata: { annotations: { [MACHINE_UUID]: MEANT } },
  spec: { endpoint: '127.0.0.1' },
})
const config = wantedConfig({
  ...{ controlPlane: aControlPlane(), machine: resource, bundle, installDisk: '/dev/sda' },
})
const fingerprint = configFingerprint(config)
const world = aWorld({
  wanted: { is: 'known', fingerprint, origin: 'as-edited', metaText: 'addresses: []' },
  turn: 3,
  means: { access: cluster.access, config: () => config },
})

const patches: unknown[] = []
afterEach(() => {
  patches.length = 0
})

function writer(signal: AbortSignal): Writer {
  const refuse = () => Promise.reject(new Error('nothing of this is to be written'))
  return {
    ...{ signal, create: refuse, apply: refuse, remove: refuse },
    patch: async (_kind, _of, patch) => {
      patches.push(patch)
      return refuse().catch(() => resource as never) // nobody looks at what it yields
    },
  }
}

const steps = (places: ChangingPlaces, signal = new AbortController().signal) => {
  const on = { resource, world, write: writer(signal) }
  const all = acts({
    ...{ clock: systemClock, machines: places.machines, writesMeta: true },
    newBundle: generateBundle,
    credentials: new Credentials({ clock: systemClock }),
    nodes: new ClusterNodes({ clock: systemClock, log: quietLog(), userAgent: 'test' }),
    sent: new SentConfigs({ clock: systemClock }),
    long: new LongCalls({ clock: systemClock }),
  })
  return {
    configure: () => all.configure({ do: 'configure', uuid: MEANT, config: fingerprint }, on),
    change: () =>
      all.applyConfig(
        { do: 'applyConfig', uuid: MEANT, config: fingerprint, mode: 'live', times: 1 },
        on,
      ),
    keep: () =>
      all.keepConfig(
        { do: 'keepConfig', uuid: MEANT, config: { origin: 'as-edited', config: fingerprint } },
        on,
      ),
    'write meta': () => all.writeMeta({ do: 'writeMeta', uuid: MEANT }, on),
    reset: () => all.reset({ do: 'reset', uuid: MEANT, graceful: false }, on),
  }
}

const DEEDS = [
  { deed: 'configure', of: undefined, calls: ['try', 'configure'], notes: 0 },
  // That it is about to be is written down before.
  { deed: 'change', of: cluster, calls: ['try', 'configure'], notes: 1 },
  { deed: 'write meta', of: cluster, calls: ['write meta'], notes: 0 },
  { deed: 'reset', of: cluster, calls: ['reset'], notes: 0 },
] as const

describe.each(DEEDS)('to $deed a machine', ({ deed, of, calls, notes }) => {
  test('reaches the one that is meant', async () => {
    await using places = await changingPlaces(of)
    await steps(places)[deed]()

    expect(places.done).toEqual({ meant: calls, stranger: [] })
  })

  test('reaches no other that takes its address once it has said who it is', async () => {
    await using places = await changingPlaces(of)
    places.swapAfterIdentity = 1

    await expect(steps(places)[deed]()).rejects.toMatchObject({ outcome: 'unreachable' })
    await expect(steps(places)[deed]()).rejects.toMatchObject({ outcome: 'wrong-identity' })
    expect(places.done).toEqual({ meant: [], stranger: [] })
    expect(patches).toEqual([])
  })

  test('and again after its answer was lost reaches no other that has its address now', async () => {
    await using places = await changingPlaces(of)
    places.diesOfDeed = true
    await steps(places)[deed]()
    await places.swap()

    await expect(steps(places)[deed]()).rejects.toMatchObject({ outcome: 'wrong-identity' })
    expect(places.done).toEqual({ meant: calls, stranger: [] })
    expect(patches).toHaveLength(notes)
  })

  test('and to be interrupted between question and deed reaches nobody', async () => {
    await using places = await changingPlaces(of)
    const stop = new AbortController()
    places.swapAfterIdentity = 1
    const swap = places.swap
    places.swap = async () => {
      await swap()
      stop.abort(new Error('enough'))
    }

    await expect(steps(places, stop.signal)[deed]()).rejects.toThrow('enough')
    expect(places.done).toEqual({ meant: [], stranger: [] })
  })
})

test.each([
  ['configure', undefined],
  ['change', cluster],
] as const)(
  'to %s reaches no machine that takes the address after it was tried',
  async (deed, of) => {
    await using places = await changingPlaces(of)
    places.swapAfterIdentity = 2

    await expect(steps(places)[deed]()).rejects.toMatchObject({ outcome: 'unreachable' })
    expect(places.done).toEqual({ meant: ['try'], stranger: [] })
  },
)

test('what is only tried is taken for kept by a yes alone, and of this machine', async () => {
  await using places = await changingPlaces(cluster)
  places.diesOfDeed = true

  await expect(steps(places).keep()).rejects.toMatchObject({ outcome: 'lost' })
  expect(patches).toEqual([])
  await places.swap()
  await expect(steps(places).keep()).rejects.toMatchObject({ outcome: 'wrong-identity' })
  expect(places.done.stranger).toEqual([])
})
