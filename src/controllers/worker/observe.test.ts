import { beforeAll, describe, expect, test } from 'vitest'
import { INSTALL_DISK } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import type { Worker } from '#api/worker.ts'
import { aBundle, stored } from '#engine/cluster-secrets.cases.ts'
import { secretsDraft } from '#engine/cluster-secrets.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aMachine, aWorker, aWorkerMachine } from '#test/builders.ts'
import { observe } from './observe.ts'

const LEAVING = { deletionTimestamp: '2030-01-01T00:00:00Z' }

let secret: KubeObject
beforeAll(async () => {
  secret = { kind: 'Secret', ...stored(secretsDraft(aControlPlane(), await aBundle(), {})) }
})

const machineAt = (at: number): Machine =>
  aWorkerMachine({
    metadata: { name: `pool-192.0.2.${at}`, annotations: { [INSTALL_DISK]: '/dev/sda' } },
    spec: { endpoint: `192.0.2.${at}` },
  })

/** What is seen of a pool, where the caches show these objects and the API has those too. */
async function look(
  worker: Worker,
  cached: readonly KubeObject[],
  live: readonly KubeObject[] = [secret],
) {
  const { read, asked } = aReader({ cached, live: [...cached, ...live] })
  return { world: await observe(worker, read, true), asked }
}

const addressesOf = (machines: readonly Machine[]) => machines.map(({ spec }) => spec?.endpoint)

describe('the machines of a pool', () => {
  test('are its own, in the order of the spec, and then those that it does not want', async () => {
    const machines = [{ address: '192.0.2.23' }, { address: '192.0.2.22' }]
    const strangers = [
      aMachine(),
      aWorkerMachine({ metadata: { name: 'x' }, spec: { workerRef: { name: 'other' } } }),
    ]
    const { world } = await look(aWorker({ spec: { metalSpec: { machines } } }), [
      ...[machineAt(21), machineAt(22), ...strangers, machineAt(23)],
    ])

    expect(addressesOf(world.machines)).toEqual(['192.0.2.23', '192.0.2.22', '192.0.2.21'])
  })

  test('are asked of the API before the pool goes because it has none', async () => {
    const { world } = await look(aWorker({ metadata: LEAVING }), [], [machineAt(21)])

    expect(addressesOf(world.machines)).toEqual(['192.0.2.21'])
  })

  test('are none if the API has none either, or those of another pool alone', async () => {
    const taken = aWorkerMachine({ spec: { workerRef: { name: 'other' } } })
    const leaving = aWorker({ metadata: LEAVING })

    expect((await look(leaving, [], [])).world.machines).toEqual([])
    expect((await look(leaving, [], [taken])).world.machines).toEqual([])
  })

  test('are as the caches show them while the pool stays', async () => {
    const { world, asked } = await look(aWorker(), [], [machineAt(21)])

    expect(world.machines).toEqual([])
    expect(asked).toEqual([])
  })
})

describe('what the machines of a pool have in common', () => {
  const controlPlane = aControlPlane()
  const wrong = aWorker({
    spec: {
      metalSpec: {
        machines: [{ address: '192.0.2.21', configPatches: [{ machine: { network: 'eth0' } }] }],
      },
    },
  })

  test('is to be shown, as soon as it can be made', async () => {
    const { world } = await look(aWorker(), [controlPlane, machineAt(21)])

    expect(world).toMatchObject({
      ...{ controlPlane, problem: undefined, unresolved: undefined },
      config: { name: 'pool-config', due: 'create' },
    })
    expect(world.means.config?.open().metadata.name).toBe('pool-config')
  })

  test('is settled when it is shown, and not put into what is somebody else’s', async () => {
    const { world } = await look(aWorker(), [controlPlane, machineAt(21)])
    if (!world.means.config) throw new Error('there is one')
    const shown = { kind: 'Secret', ...stored(world.means.config) }
    const { ownerReferences: _, ...metadata } = shown.metadata
    const again = async (config: KubeObject) =>
      (await look(aWorker(), [controlPlane, machineAt(21)], [secret, config])).world.config.due

    expect(await again(shown)).toBeUndefined()
    expect(await again({ ...shown, metadata })).toBe('taken')
  })

  test.each<[string, KubeObject[], () => KubeObject[]]>([
    ['the control plane is not there', [machineAt(21)], () => [secret]],
    ['there are no secrets', [controlPlane, machineAt(21)], () => []],
    ['the pool has no machine', [controlPlane], () => [secret]],
    ['nobody knows where it is installed', [controlPlane, aWorkerMachine()], () => [secret]],
  ])('is nothing yet while %s', async (_why, cached, live) => {
    const { world } = await look(aWorker(), cached, live())

    expect(world.config).toEqual({ name: 'pool-config', due: undefined })
    expect(world.means).toEqual({})
  })

  test('does not hang on a patch of one machine, which is what is wrong with the spec', async () => {
    const { world } = await look(wrong, [controlPlane, machineAt(21)])

    expect(world.problem).toMatchObject({ reason: 'ConfigInvalid' })
    expect(world.config.due).toBe('create')
  })
})

describe('a pool whose control plane', () => {
  test('is not there has no problem of its own', async () => {
    const { world } = await look(aWorker(), [machineAt(21)])

    expect(world).toMatchObject({ controlPlane: undefined, problem: undefined, warnings: [] })
  })

  test('is wrong is told that it has to be corrected first', async () => {
    const wrong = aControlPlane({ spec: { endpoint: 'http://192.0.2.10:6443' } })

    expect((await look(aWorker(), [wrong, machineAt(21)])).world.problem).toMatchObject({
      reason: 'ControlPlaneInvalid',
    })
  })
})
