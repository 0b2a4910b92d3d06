import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { BOOTSTRAP_ACCEPTED, ETCD_SEEN } from '#api/labels.ts'
import { bootstrapsIn, brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { conditionOf, untilReady } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 60_000
const NAME = 'one'

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.26', machines: 1, versions: QUICK })
})
afterAll(() => world[Symbol.asyncDispose]())

const saidOf = async () => (await conditionOf(world, [ControlPlane, NAME], 'Ready'))?.message ?? ''

test('a machine that loses power before its etcd began is asked again only when somebody says so', {
  timeout: LONG,
}, async () => {
  const machine = world.fleet.machine(world.address(1))
  const heal = world.fault('registry-refuses', 1, 'image=etcd')
  await world.objects.apply(world.cluster(NAME, [1], []))
  await world.until('the bootstrap', () => bootstrapsIn(world) === 1)
  await world.pass(1)
  machine?.powerOff()
  heal()
  await world.pass(1)
  machine?.powerOn()

  await world.until('the way out', async () => (await saidOf()).includes(BOOTSTRAP_ACCEPTED))
  await world.pass(60)
  expect(bootstrapsIn(world)).toBe(1)
  await world.objects.patch(ControlPlane, NAME, {
    metadata: { annotations: { [BOOTSTRAP_ACCEPTED]: null } },
  })
  await untilReady(world, NAME)

  expect(bootstrapsIn(world)).toBe(2)
  expect(await brokenInvariants(world)).toEqual([])
})

test('once etcd was seen no note that is removed begins it anew', { timeout: LONG }, async () => {
  const [plane] = await world.objects.list(ControlPlane)
  expect(plane?.metadata.annotations).toHaveProperty([ETCD_SEEN])
  world.fault('unreachable', 1)
  await world.objects.patch(ControlPlane, NAME, {
    metadata: { annotations: { [BOOTSTRAP_ACCEPTED]: null } },
  })
  await world.pass(30)

  expect(bootstrapsIn(world)).toBe(2)
  expect(await world.objects.find(Cluster, NAME)).toBeDefined()
})
