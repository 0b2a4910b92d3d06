import { afterAll, beforeAll, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { EXPIRES } from '#api/labels.ts'
import { secretsDraft } from '#engine/cluster-secrets.ts'
import { kubeconfigSecret } from '#engine/delivered-kubeconfig.ts'
import { talosconfigSecret } from '#engine/delivered-talosconfig.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { ownedBy } from '#runtime/controller.ts'
import { brokenInvariants } from './invariants.ts'
import { controlPlaneIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const DAY_MS = 24 * 3_600_000
const HALF_DAYS = 365 / 2
const FILES = ['one-kubeconfig', 'one-talosconfig']

let world: World
let bundle: SecretsBundle
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.16', machines: 1 })
  // Of a cluster that is older than its files.
  bundle = await generateBundle({ talosVersion: 'v1.6.0', now: daysAgo(400) })
  const named = { metadata: { name: 'one' } } as ControlPlane // as far as it is looked at
  await world.objects.create(Secret, secretsDraft(named, bundle, {}).open())
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await untilReady()
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

const daysAgo = (days: number) => new Date(world.clock.now().getTime() - days * DAY_MS)

const untilReady = (): Promise<void> =>
  world.until(
    'the control plane to be Ready',
    async () => (await conditionOf(world, [ControlPlane, 'one'], 'Ready'))?.status === 'True',
  )

/** When each of the files ends. */
const endsNow = async (): Promise<number[]> => {
  const secrets = await Promise.all(FILES.map((name) => world.objects.find(Secret, name)))
  return secrets.map((secret) => Date.parse(secret?.metadata.annotations?.[EXPIRES] ?? ''))
}

/** The files as they were made so many days ago. */
async function grow(days: number): Promise<void> {
  const controlPlane = await world.objects.find(ControlPlane, 'one')
  if (!controlPlane) throw new Error('it is there')
  const addresses = [world.address(1)]
  const made = {
    ...{ controlPlane, bundle, endpoint: controlPlane.spec?.endpoint ?? '' },
    ...{ now: daysAgo(days), owner: ownedBy(ControlPlane, controlPlane) },
    ...{ endpoints: addresses, nodes: addresses },
  }
  for (const draft of [await kubeconfigSecret(made), await talosconfigSecret(made)]) {
    const { metadata, data } = draft.open()
    const { annotations } = metadata
    await world.objects.patch(Secret, metadata.name, { metadata: { annotations }, data })
  }
}

test('the files for users are renewed when half of their life is over, and not before', {
  timeout: LONG,
}, async () => {
  const first = await endsNow()
  for (const end of first) expect((end - world.clock.now().getTime()) / DAY_MS).toBeCloseTo(365, 0)

  await grow(HALF_DAYS - 1)
  const young = await endsNow()
  await world.pass(90)
  expect(await endsNow()).toEqual(young)

  await grow(HALF_DAYS + 1)
  const old = await endsNow()
  await world.until('both to be renewed', async () =>
    (await endsNow()).every((end, at) => end > (old[at] ?? 0)),
  )
  for (const [at, end] of (await endsNow()).entries()) expect(end).toBeGreaterThan(first[at] ?? 0)
  expect(await conditionOf(world, [ControlPlane, 'one'], 'Ready')).toMatchObject({ status: 'True' })
  expect(await brokenInvariants(world)).toEqual([])
})
