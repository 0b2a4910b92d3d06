import { expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import { CONTROL_PLANE, deedsSince } from './a-control-plane.ts'
import { untilAsWanted } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { controlPlaneIn, watchedBriefly } from './parts.ts'
import { aWorld, type World } from './world.ts'

// Before v1.13 a machine that is told to upgrade itself answers when it has fetched the image: over a slow line, after minutes.

const LONG = 300_000
const VERSIONS = { talos: 'v1.12.4', kubernetes: 'v1.34.1' }
// The image of the installer takes a machine 15 s at a speed of 1.
const A_MINUTE_AND_A_HALF = 15 / 90

const INSTALL = /^upgrade\.legacy /

const installsSince = (world: World, since: number) =>
  deedsSince(world, since).filter((deed) => INSTALL.test(deed))

/** Lives through an upgrade of one machine, and tells how often that was told, and what came of it each time. */
async function upgraded(
  subnet: string,
  meanwhile: (world: World, since: number) => Promise<void>,
): Promise<string[]> {
  const options = { subnet, machines: 1, versions: VERSIONS, speed: A_MINUTE_AND_A_HALF }
  await using world = await aWorld(options)
  await world.bringSecrets('one')
  await world.objects.apply(watchedBriefly(controlPlaneIn(world, 'one', [1])))
  await untilAsWanted(world, CONTROL_PLANE)
  const before = world.history.length
  await world.objects.patch(ControlPlane, 'one', { spec: { version: 'v1.12.5' } })
  await meanwhile(world, before)
  await untilAsWanted(world, CONTROL_PLANE)

  const [machine] = await world.objects.list(Machine)
  expect(machine?.status?.observedVersion).toBe('v1.12.5')
  expect(await brokenInvariants(world)).toEqual([])
  return installsSince(world, before).map((deed) => deed.replace(` ${world.address(1)}`, ''))
}

const untilTold = (world: World, since: number): Promise<void> =>
  world.until('it to be told', () => installsSince(world, since).length > 0)

test('an image that takes more than a minute to fetch is installed, and told once', {
  timeout: LONG,
}, async () => {
  expect(await upgraded('127.80.116', async () => {})).toEqual(['upgrade.legacy done'])
})

test('the answer that it is fetched may be lost', { timeout: LONG }, async () => {
  const lost = async (world: World) => world.loseReplyOf(`upgrade.legacy ${world.address(1)}`)

  expect(await upgraded('127.80.117', lost)).toEqual(['upgrade.legacy reply lost'])
})

test('an operator that dies while it is fetched is followed by one that waits for what comes of it', {
  timeout: LONG,
}, async () => {
  const found = await upgraded('127.80.114', async (world, since) => {
    await untilTold(world, since)
    await world.pass(0.5)
    world.killNow()
  })

  expect(found).toEqual(['upgrade.legacy reply lost'])
})

test('an operator that dies before it has told it is followed by one that does', {
  timeout: LONG,
}, async () => {
  const dying = async (world: World) => world.killBefore(`upgrade.legacy ${world.address(1)}`)

  expect(await upgraded('127.80.115', dying)).toEqual([
    'upgrade.legacy never made',
    'upgrade.legacy done',
  ])
})
