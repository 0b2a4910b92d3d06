import { afterAll, beforeAll, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { EXPIRES } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Kind } from '#api/meta.ts'
import { secretsDraft } from '#engine/cluster-secrets.ts'
import { kubeconfigSecret } from '#engine/delivered-kubeconfig.ts'
import { talosconfigSecret } from '#engine/delivered-talosconfig.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { ownedBy } from '#runtime/controller.ts'
import { brokenInvariants } from './invariants.ts'
import { controlPlaneIn } from './parts.ts'
import { conditionOf, untilSays, writesSince } from './verdicts.ts'
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

// One life of one cluster: each test begins where the one before it ended.

const daysAgo = (days: number) => new Date(world.clock.now().getTime() - days * DAY_MS)

const untilReady = (of: readonly [Kind, string] = [ControlPlane, 'one']): Promise<void> =>
  world.until(
    `${of[1]} to be Ready`,
    async () => (await conditionOf(world, of, 'Ready'))?.status === 'True',
  )

const untilRenewed = (old: readonly number[]): Promise<void> =>
  world.until('both to be renewed', async () =>
    (await endsNow()).every((end, at) => end > (old[at] ?? 0)),
  )

/** The same control plane with a patch that does not parse. */
function spoiled() {
  const manifest = controlPlaneIn(world, 'one', [1])
  const configPatches = [{ machine: { network: 'eth0' } }]
  const metalSpec = { ...manifest.spec.metalSpec, machineSpec: { configPatches } }
  return { ...manifest, spec: { ...manifest.spec, metalSpec } }
}

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
  await untilRenewed(old)
  for (const [at, end] of (await endsNow()).entries()) expect(end).toBeGreaterThan(first[at] ?? 0)
  expect(await conditionOf(world, [ControlPlane, 'one'], 'Ready')).toMatchObject({ status: 'True' })
  expect(await brokenInvariants(world)).toEqual([])
})

test('while the spec of a cluster that runs is wrong, the files for its users are renewed all the same', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(spoiled())
  await untilSays(world, [ControlPlane, 'one'], { type: 'Ready', reason: 'ConfigInvalid' })

  await grow(HALF_DAYS + 1)
  const old = await endsNow()
  await untilRenewed(old)

  for (const end of await endsNow()) {
    expect((end - world.clock.now().getTime()) / DAY_MS).toBeCloseTo(365, 0)
  }
  expect(await conditionOf(world, [ControlPlane, 'one'], 'Ready')).toMatchObject({
    ...{ status: 'False', reason: 'ConfigInvalid' },
  })
})

test('while it is wrong, an operator that starts again and knows nothing follows its nodes', {
  timeout: LONG,
}, async () => {
  const machine = [Machine, `one-${world.address(1)}`] as const
  await world.stopOperator()
  await world.objects.wipeStatus(ControlPlane, 'one')
  await world.objects.wipeStatus(...machine)
  const before = world.history.length

  world.startOperator()
  // It is Ready only if its node is.
  await untilReady(machine)

  await world.until('the version of its Kubernetes to be known', async () => {
    const found = await world.objects.find(ControlPlane, 'one')
    return found?.status?.observedKubeVersion === found?.spec?.kubeVersion
  })
  expect(await conditionOf(world, [ControlPlane, 'one'], 'Ready')).toMatchObject({
    ...{ status: 'False', reason: 'ConfigInvalid' },
  })
  expect(writesSince(world, before).filter(({ to }) => to === 'machine')).toEqual([])

  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await untilReady()
  expect(await brokenInvariants(world)).toEqual([])
})
