import { expect, test } from 'vitest'
import type { Machine } from '#api/machine.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aMachine, aWorker, aWorkerMachine } from '#test/builders.ts'
import type { Parent } from './pool.ts'
import { unseenMachines } from './unseen-machines.ts'

const twoMachines = { machines: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }] }
const controlPlane = aControlPlane({ spec: { metalSpec: twoMachines } })
const second = aMachine({
  metadata: { name: 'prod-192.0.2.2' },
  spec: { endpoint: '192.0.2.2' },
})
const { spec: _, ...nobodys } = aWorkerMachine()

const namesOf = (machines: readonly Machine[]) => machines.map(({ metadata }) => metadata.name)

/** Which machines of a parent the API has, that no cache shows. */
const unseen = async (parent: Parent, ...live: Machine[]) =>
  namesOf(await unseenMachines(parent, aReader({ live }).read))

test('machines that no cache shows count for their parent, where the API has them', async () => {
  expect(await unseen(controlPlane, second, aMachine())).toEqual([
    ...['prod-192.0.2.2', 'prod-192.0.2.1'],
  ])
  expect(await unseen(aWorker(), aWorkerMachine())).toEqual(['pool-192.0.2.21'])
})

test('machines that the API does not have either are none', async () => {
  expect(await unseen(controlPlane)).toEqual([])
  expect(await unseen(controlPlane, second)).toEqual(['prod-192.0.2.2'])
})

test.each<[string, Parent, Machine]>([
  ['another control plane', controlPlane, aMachine({ spec: { controlPlaneRef: { name: 'lab' } } })],
  ['a pool', controlPlane, aMachine({ spec: { workerRef: { name: 'pool' } } })],
  ['another pool', aWorker(), aWorkerMachine({ spec: { workerRef: { name: 'other' } } })],
  ['nobody', aWorker(), nobodys],
])('a machine of the same name that is of %s does not count', async (_whose, parent, machine) => {
  expect(await unseen(parent, machine)).toEqual([])
})

test('a machine counts whose entry refers to what leads nowhere any more', async () => {
  const machineRef = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone' }
  const referring = aWorker({ spec: { metalSpec: { machines: [{ machineRef }] } } })
  const referred = aWorkerMachine({ metadata: { name: 'pool-gone' } })

  expect(await unseen(referring, referred)).toEqual(['pool-gone'])
})

test('an API that does not answer leaves it open, and nobody believes that there are none', async () => {
  const fetchAll = () => Promise.reject(new Error('the API is away'))

  await expect(unseenMachines(controlPlane, { fetchAll })).rejects.toThrow('away')
})
