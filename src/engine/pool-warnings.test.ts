import { expect, test } from 'vitest'
import { aControlPlane, aMachineSpec, aWorker } from './pool.cases.ts'
import { evenWarning, poolWarnings } from './pool-warnings.ts'

test.each([0, 1, 3, 5])('%i control planes are fine', (count) => {
  expect(evenWarning(count)).toBeUndefined()
})

test.each([
  [2, '2 control planes stop when one is lost, just as 1 would'],
  [4, '4 control planes survive the loss of 1, just as 3 would'],
])('%i control planes are warned of', (count, message) => {
  expect(evenWarning(count)).toEqual({
    reason: 'EvenControlPlanes',
    message: expect.stringContaining(message),
  })
})

const two = { machines: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }] }

test('an even number of workers is nothing to warn of', () => {
  const controlPlane = aControlPlane({ metalSpec: two })

  expect(poolWarnings({ controlPlane })).toMatchObject([{ reason: 'EvenControlPlanes' }])
  expect(poolWarnings({ controlPlane, worker: aWorker({ metalSpec: two }) })).toEqual([])
})

test('defaults of workers that are ahead of the control plane are warned of', () => {
  const controlPlane = aControlPlane({ version: 'v1.12.0', kubeVersion: 'v1.34.0' })

  expect(poolWarnings({ controlPlane, worker: aWorker() })).toMatchObject([
    {
      reason: 'WorkerAheadOfControlPlane',
      message: expect.stringContaining('spec.version is v1.13.0'),
    },
    { reason: 'WorkerAheadOfControlPlane', message: expect.stringContaining('spec.kubeVersion') },
  ])
})

test('patches beside configRef are warned of', () => {
  const configRef = { name: 'a', key: 'b' }
  const metalSpec = {
    machines: [{ address: '192.0.2.1' }],
    machineSpec: aMachineSpec({ configPatches: [{}] }),
  }

  expect(poolWarnings({ controlPlane: aControlPlane({ configRef, metalSpec }) })).toMatchObject([
    { reason: 'PatchesUnused' },
  ])
  expect(poolWarnings({ controlPlane: aControlPlane({ metalSpec }) })).toEqual([])
  expect(poolWarnings({ controlPlane: aControlPlane({ configRef }) })).toEqual([])
})
