import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import {
  ADOPTED,
  BOOTSTRAP_ACCEPTED,
  BOOTSTRAP_MACHINE,
  CLUSTER_ID,
  ETCD_SEEN,
  INSTALL_DISK,
  MACHINE_UUID,
  RECONCILE_MODE,
} from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { wordsFor } from './boundary.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { conditionOf, untilReady, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.17', machines: 2, versions: QUICK })
  const { spec, ...cluster } = world.cluster('one', [1], [2])
  const machineSpec = { installDisk: '/dev/sda' }
  const metalSpec = { ...spec.controlPlane.metalSpec, machineSpec }
  // The disk of the worker is in nothing but its configuration.
  await world.objects.apply({
    ...cluster,
    spec: { ...spec, controlPlane: { ...spec.controlPlane, metalSpec } },
  })
  await untilReady(world, 'one')
  await world.pass(2)
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

const OURS_ALONE = [
  ...[CLUSTER_ID, BOOTSTRAP_MACHINE, BOOTSTRAP_ACCEPTED, ETCD_SEEN],
  ...[MACHINE_UUID, INSTALL_DISK],
]

/** What only we write is not there. */
async function forget(kind: ApiKind, name: string): Promise<void> {
  const annotations = Object.fromEntries(OURS_ALONE.map((key) => [key, null]))
  await world.objects.patch(kind, name, { metadata: { annotations } })
  await world.objects.wipeStatus(kind, name)
}

/** Everything as the published operator leaves it, with the cluster's secrets in its own places. */
async function becomePublished(status: object): Promise<void> {
  await world.objects.wipeStatus(Cluster, 'one')
  await world.objects.wipeStatus(Worker, 'one')
  await forget(ControlPlane, 'one')
  await world.objects.patchStatus(ControlPlane, 'one', {
    ...{ state: 'Ready', observedKubeVersion: QUICK.kubernetes, ...status },
  })
  await world.objects.patchStatus(Worker, 'one', { state: 'Ready', config: 'version: v1alpha1' })
  for (const { metadata, spec } of await world.objects.list(Machine)) {
    await forget(Machine, metadata.name)
    const { config } = world.fleet.machine(spec?.endpoint ?? '') ?? {}
    await world.objects.patchStatus(Machine, metadata.name, {
      ...{ state: 'Available', observedVersion: QUICK.talos },
      config: config && writeConfig(config),
    })
  }
  await world.objects.patch(Secret, 'one-secrets', { metadata: { finalizers: null } })
  await world.objects.remove(Secret, 'one-secrets')
}

const entryOf = async (secret: string, key: string): Promise<string> => {
  const found = await world.objects.find(Secret, secret)
  return Buffer.from(found?.data?.[key] ?? '', 'base64').toString()
}

/** That nothing was done to a machine, that nothing of the past is left, and that the secrets are the same. */
async function expectTakenOver(before: { secrets: string; calls: number }): Promise<void> {
  expect((await entryOf('one-secrets', 'secrets.yaml')) === before.secrets).toBe(true)
  const machineCalls = writesSince(world, before.calls).filter(({ to }) => to === 'machine')
  expect(machineCalls.map(wordsFor)).toEqual([])
  expect([bootstrapsIn(world), resetsIn(world)]).toEqual([1, 0])
  const machines = await world.objects.list(Machine)
  for (const { metadata, status } of machines) {
    expect(status).not.toHaveProperty('config')
    expect(metadata.annotations?.[MACHINE_UUID]).toBe(status?.uuid)
  }
  const controlPlane = await world.objects.find(ControlPlane, 'one')
  expect(controlPlane?.status).not.toHaveProperty('secretBundle')
  expect(controlPlane?.metadata.annotations).toHaveProperty([BOOTSTRAP_ACCEPTED])
  expect(await conditionOf(world, [Cluster, 'one'], 'Ready')).toMatchObject({ status: 'True' })
  expect(await brokenInvariants(world)).toEqual([])
}

test('an installation of the published operator is taken over from its state Secret', {
  timeout: LONG,
}, async () => {
  const secrets = await entryOf('one-secrets', 'secrets.yaml')
  await world.stopOperator()
  await becomePublished({})
  const calls = world.history.length

  world.startOperator()
  await untilReady(world, 'one')
  await world.pass(10)

  await expectTakenOver({ secrets, calls })
})

test('an older installation is taken over from the status of its control plane', {
  timeout: LONG,
}, async () => {
  const secrets = await entryOf('one-secrets', 'secrets.yaml')
  const secretBundle = await entryOf('one-state', 'secretBundle')
  await world.stopOperator()
  await becomePublished({ secretBundle })
  await world.objects.remove(Secret, 'one-state')
  const calls = world.history.length

  world.startOperator()
  await untilReady(world, 'one')
  await world.pass(10)

  await expectTakenOver({ secrets, calls })
})

test('what the published operator imported is compared, and is not taken for its work', {
  timeout: LONG,
}, async () => {
  const secrets = await entryOf('one-secrets', 'secrets.yaml')
  await world.stopOperator()
  await becomePublished({ imported: true })
  const imported = { [RECONCILE_MODE]: 'import' }
  await world.objects.annotate(ControlPlane, 'one', imported)
  for (const { metadata } of await world.objects.list(Machine)) {
    await world.objects.annotate(Machine, metadata.name, imported)
    await world.objects.patchStatus(Machine, metadata.name, { imported: true })
  }
  const calls = world.history.length

  world.startOperator()
  await untilReady(world, 'one')
  await world.pass(10)

  await expectTakenOver({ secrets, calls })
  for (const { metadata } of await world.objects.list(Machine)) {
    expect(metadata.annotations).toHaveProperty([ADOPTED])
  }
})
