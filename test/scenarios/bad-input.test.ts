import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { Machine } from '#api/machine.ts'
import {
  BAD_CONTROL_PLANES,
  BAD_POOLS,
  BAD_WORKERS,
  type BadSpec,
  PARTS,
  type PoolSpec,
  REFUSED,
} from './bad-input.cases.ts'
import { wordsFor } from './boundary.ts'
import { brokenInvariants } from './invariants.ts'
import { conditionOf, untilReady, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.5', machines: 2 })
  await world.bringSecrets('one')
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

// One life of one cluster, which is wrong, mended, and wrong again.

type PartName = keyof typeof PARTS

const good = () => world.cluster('one', [1], [2])

function spoiled(part: PartName, spoil: BadSpec['spoil']) {
  const manifest = good()
  const spec = manifest.spec[part] as PoolSpec // as far as cases change it
  spoil(spec, (number) => world.address(number))
  return manifest
}

/** Applies what is wrong, and sees that it is said where it is wrong and above that. */
async function complains(part: PartName, { spoil, reason, says }: BadSpec): Promise<void> {
  await world.objects.apply(spoiled(part, spoil))

  const kind = PARTS[part]
  await world.until(`${kind.kind} one to say ${reason}: ${says.join(' … ')}`, async () => {
    const said = await conditionOf(world, [kind, 'one'], 'Ready')
    return said?.reason === reason && says.every((words) => said.message.includes(words))
  })
  const above = `${kind.kind} one (${reason}): `
  await world.until(`the cluster to say ${above}`, async () => {
    const whole = await conditionOf(world, [Cluster, 'one'], 'Ready')
    return whole?.status === 'False' && whole.message.includes(above)
  })
}

const callsTo = (machines: readonly number[], since = 0) =>
  writesSince(world, since)
    .filter(
      (call) =>
        call.to === 'machine' && machines.some((one) => call.address === world.address(one)),
    )
    .map(wordsFor)

const titled = (cases: readonly BadSpec[]) => cases.map((bad) => [bad.title, bad] as const)

test.each(REFUSED.map((bad) => [bad.title, bad] as const))(
  '%s is refused by the API, which names the field',
  async (_, { spoil, field }) => {
    await expect(world.objects.apply(spoiled('controlPlane', spoil))).rejects.toThrow(
      JSON.stringify(field).slice(1, -1),
    )
  },
)

describe('a new control plane says what to change, and no machine is touched, with', () => {
  test.each(titled([...BAD_POOLS, ...BAD_CONTROL_PLANES]))(
    '%s',
    { timeout: LONG },
    async (_, bad) => {
      await complains('controlPlane', bad)

      expect(await world.objects.list(Machine)).toEqual([])
      expect(callsTo([1, 2])).toEqual([])
    },
  )
})

describe('new workers say what to change, and none of them is touched, with', () => {
  test.each(titled([...BAD_POOLS, ...BAD_WORKERS]))('%s', { timeout: LONG }, async (_, bad) => {
    await complains('worker', bad)

    expect(callsTo([2])).toEqual([])
  })
})

test('a cluster whose spec is mended becomes Ready', { timeout: LONG }, async () => {
  await world.objects.apply(good())

  await untilReady(world, 'one')

  expect(await brokenInvariants(world)).toEqual([])
})

describe('a cluster that runs says what to change, and runs on until it is mended, with', () => {
  // One of each reason. That a machine is also a worker is then the workers' to say.
  const isFirst = (bad: BadSpec, at: number, all: readonly BadSpec[]) =>
    all.findIndex(({ reason }) => reason === bad.reason) === at
  const cases = [
    ...[...BAD_POOLS, ...BAD_CONTROL_PLANES]
      .filter(isFirst)
      .map((bad) => [bad.title, 'controlPlane', bad] as const),
    ...BAD_WORKERS.map((bad) => [bad.title, 'worker', bad] as const),
  ]

  test.each(cases)('%s (%s)', { timeout: LONG }, async (_, part, bad) => {
    const before = world.history.length
    await complains(part, bad)
    await world.objects.apply(good())
    await untilReady(world, 'one')

    expect(callsTo([1, 2], before)).toEqual([])
    expect(world.fleet.machines.map(({ stage }) => stage)).toEqual(['running', 'running'])
  })
})
