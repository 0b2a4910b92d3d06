import { afterAll, beforeAll, expect, test } from 'vitest'
import { Addon } from '#api/addon.ts'
import { AddonRelease } from '#api/addon-release.ts'
import { EtcdBackup } from '#api/etcd-backup.ts'
import { EtcdBackupSchedule } from '#api/etcd-backup-schedule.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import { finalizerOf, type Kind } from '#api/meta.ts'
import { toldOf, untilTold } from './told.ts'
import { conditionOf, untilSays, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.144', machines: 1 })
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

const key = { name: 'keys', key: 'id' }
const s3 = { bucket: 'b', region: 'r', accessKeyID: key, secretAccessKey: key }
const backup = { talosControlPlaneRef: { name: 'prod' }, backupStorage: { s3 } }
const clusterRef = { apiVersion: 'talos.alperen.cloud/v1alpha1', name: 'prod' }

const KINDS: readonly (readonly [Kind, object])[] = [
  [Addon, { helmSpec: { chartName: 'cilium', repoURL: 'https://charts.example' } }],
  [AddonRelease, { clusterRef: { ...clusterRef, kind: 'TalosControlPlane' } }],
  [EtcdBackup, backup],
  [EtcdBackupSchedule, { schedule: '@daily', backupTemplate: { spec: backup } }],
]
const create = (kind: Kind, name: string, object: { spec: object; metadata?: object }) =>
  world.objects.create(kind, { ...object, metadata: { ...object.metadata, name } })
const held = (kind: Kind) => ({ finalizers: [finalizerOf(kind)] })
const SAID = { type: 'Ready', reason: 'NotSupportedYet' }

test('an object of a kind that nothing comes of yet says so, once, and is held by nobody', {
  timeout: LONG,
}, async () => {
  for (const [kind, spec] of KINDS) await create(kind, 'one', { spec })
  for (const [kind] of KINDS) {
    const message = await untilSays(world, [kind, 'one'], SAID)
    expect(message).toMatch(
      / is not supported yet: nothing is done; .*`<cluster>-(kube|talos)config`/,
    )
  }
  const since = world.boundary.history.length
  await world.pass(10)

  expect(writesSince(world, since)).toEqual([])
  for (const [kind] of KINDS) {
    expect(await toldOf(world, [kind, 'one'])).toEqual([
      expect.stringMatching(/^NotSupportedYet: /),
    ])
    const object = await world.objects.find(kind, 'one')
    expect(object?.metadata.finalizers).toBeUndefined()
    expect(object?.status).toMatchObject({ observedGeneration: 1 })
  }
})

test('a mode forbids it that too', { timeout: LONG }, async () => {
  for (const [kind, spec] of KINDS) {
    const annotations = { [RECONCILE_MODE]: 'disable' }
    await create(kind, 'alone', { spec, metadata: { annotations } })
    await create(kind, 'tried', { spec, metadata: { annotations: { [RECONCILE_MODE]: 'dryrun' } } })
  }
  for (const [kind] of KINDS) await untilTold(world, [kind, 'tried'], 'NotSupportedYet')
  await world.pass(10)

  for (const [kind] of KINDS) {
    expect(await toldOf(world, [kind, 'alone'])).toEqual([])
    expect(await conditionOf(world, [kind, 'alone'], 'Ready')).toBeUndefined()
    expect(await conditionOf(world, [kind, 'tried'], 'Ready')).toBeUndefined()
  }
})

test('what another operator has held goes when it is deleted, and says what stays behind', {
  timeout: LONG,
}, async () => {
  for (const [kind, spec] of KINDS) await create(kind, 'old', { spec, metadata: held(kind) })
  await world.objects.patchStatus(EtcdBackup, 'old', { filename: 'snapshots/a.db' })
  for (const [kind] of KINDS) await untilSays(world, [kind, 'old'], SAID)
  for (const [kind] of KINDS) await world.objects.remove(kind, 'old')

  for (const [kind] of KINDS) {
    await world.until(
      `${kind.kind} to be gone`,
      async () => !(await world.objects.find(kind, 'old')),
    )
    await untilTold(world, [kind, 'old'], 'LeftBehind')
  }
  const told = await toldOf(world, [EtcdBackup, 'old'])
  expect(told).toContainEqual(expect.stringMatching(/^LeftBehind: .*snapshots\/a\.db$/))
})
