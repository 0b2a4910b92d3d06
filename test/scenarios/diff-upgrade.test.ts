import { afterAll, beforeAll, expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { type MachineDiff, type Report, summaryOf } from '#cli/diff-report.ts'
import { reportOn } from '#cli/diff-report-on.ts'
import { CONTROL_PLANE } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { endedWithoutDeeds, type Onlooker } from './onlooker.ts'
import { controlPlaneIn, watchedBriefly, workerIn } from './parts.ts'
import { untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000
const POOL = [Worker, 'pool'] as const
const SCHEMATIC = 'a'.repeat(64)
const FACTORY = `factory.talos.dev/metal-installer/${SCHEMATIC}`
const PLAIN = 'ghcr.io/siderolabs/installer'

let world: World
let onlooker: Onlooker
beforeAll(async () => {
  world = await aWorld({
    ...{ subnet: '127.80.125', machines: 3 },
    versions: { talos: 'v1.13.0', kubernetes: 'v1.34.1' },
    extensions: new Map([[SCHEMATIC, ['iscsi-tools']]]),
  })
  await world.bringSecrets('one')
  for (const part of partsAt('v1.13.0', FACTORY)) await world.objects.apply(part)
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  onlooker = await world.onlooker()
}, LONG)
afterAll(() => endedWithoutDeeds(onlooker, world))

/** A control plane of the standard image, and a pool of two of another one. */
function partsAt(version: string, image: string) {
  const controlPlane = watchedBriefly(controlPlaneIn(world, 'one', [1]))
  const pool = watchedBriefly(workerIn(world, { name: 'pool', joins: 'one', machines: [2, 3] }))
  const metalSpec = { ...pool.spec.metalSpec, machineSpec: { image } }
  return [
    { ...controlPlane, spec: { ...controlPlane.spec, version } },
    { ...pool, spec: { ...pool.spec, version, metalSpec } },
  ] as const
}

const diff = (...objects: Parameters<typeof reportOn>[0]): Promise<Report> =>
  reportOn(objects, { ...onlooker, isMetaWritten: false })

const machinesIn = ({ objects }: Report): MachineDiff[] =>
  objects.flatMap(({ machines }) => machines)

test('extensions that would be lost are foreseen', { timeout: LONG }, async () => {
  const report = await diff(...partsAt('v1.13.1', PLAIN))

  const lost = {
    reason: 'ExtensionsWouldBeLost',
    message: expect.stringMatching(`extensions iscsi-tools, and ${PLAIN}:v1.13.1 .*consent=`),
  }
  expect(machinesIn(report)).toMatchObject([
    { effort: 'upgrade' },
    ...[2, 3].map((at) => ({ address: world.address(at), problem: lost })),
  ])
  expect(summaryOf(report)).toMatchObject({ changed: 1, stuck: 2 })
  expect(summaryOf(await diff(...partsAt('v1.13.1', FACTORY)))).toMatchObject({
    ...{ changed: 3, stuck: 0 },
  })
})

test('an upgrade that failed is said in the words of its machine, and whom it stops', {
  timeout: LONG,
}, async () => {
  const well = world.fault('falls-back', 2)
  const [controlPlane, pool] = partsAt('v1.13.1', FACTORY)
  await world.objects.apply(controlPlane)
  await world.objects.apply(pool)
  const failed = await untilSays(world, [Machine, `pool-${world.address(2)}`], {
    ...{ type: 'Ready', reason: 'UpgradeFailed' },
  })
  const stopped = await untilSays(world, POOL, { type: 'Ready', reason: 'RolloutStopped' })
  well()

  const labelled = withPatch(pool, { machine: { nodeLabels: { tier: 'web' } } })
  expect(machinesIn(await diff(labelled))).toMatchObject([
    { address: world.address(2), problem: { reason: 'UpgradeFailed', message: failed } },
    { address: world.address(3), problem: { reason: 'RolloutStopped', message: stopped } },
  ])
  const [same] = (await diff(pool)).objects
  expect(same?.notes).toMatchObject([
    { reason: 'AlreadyUnderWay' },
    { reason: 'UpgradeFailed', message: `pool-${world.address(2)}: ${failed}` },
  ])
})
