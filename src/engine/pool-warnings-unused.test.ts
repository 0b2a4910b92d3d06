import { expect, test } from 'vitest'
import { aControlPlane, aMachineSpec, aWorker } from './pool.cases.ts'
import { poolWarnings } from './pool-warnings.ts'

const pxeClientSpec = { macAddress: '02:00:00:00:00:01', cpuArchitecture: 'amd64' as const }

test('machines that are to boot over the network are told that they do not, once for a pool', () => {
  const metalSpec = {
    machines: ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => ({
      ...{ address, pxeClientSpec },
    })),
  }

  expect(poolWarnings({ controlPlane: aControlPlane({ metalSpec }) })).toEqual([
    {
      reason: 'NotSupportedYet',
      message:
        'spec.metalSpec.machines[0].pxeClientSpec (and 2 more) has no effect yet: machines are not booted over the network. Boot them otherwise',
    },
  ])
})

test('META that is not written is told, and where that is set', () => {
  const machines = [{ address: '192.0.2.1' }]
  const metalSpec = { machines, machineSpec: aMachineSpec({ meta: { hostname: 'a' } }) }
  const worker = aWorker({ metalSpec })
  const controlPlane = aControlPlane()

  expect(poolWarnings({ controlPlane, worker, isMetaWritten: false })).toEqual([
    { reason: 'MetaNotWritten', message: expect.stringContaining('ENABLE_META_KEY=true') },
  ])
  expect(poolWarnings({ controlPlane, worker, isMetaWritten: true })).toEqual([])
})
