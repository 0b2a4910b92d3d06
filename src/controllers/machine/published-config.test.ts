import { expect, test } from 'vitest'
import { aMachineSpec } from '#engine/pool.cases.ts'
import { aMachine } from '#test/builders.ts'
import { diskPickedBefore, wasConfiguredBefore } from './published-config.ts'

const config = 'version: v1alpha1\nmachine:\n  type: worker\n  install:\n    disk: /dev/nvme0n1\n'

test('the disk that an older operator picked is found in what it left', () => {
  const machine = aMachine({ status: { config } })

  expect(wasConfiguredBefore(machine)).toBe(true)
  expect(diskPickedBefore(machine)).toBe('/dev/nvme0n1')
})

test.each([
  ['nothing was left', aMachine()],
  [
    'the spec says which',
    aMachine({
      spec: { machineSpec: aMachineSpec({ installDisk: '/dev/sda' }) },
      status: { config },
    }),
  ],
  ['it is no configuration', aMachine({ status: { config: 'a: [' } })],
  [
    'it names none',
    aMachine({ status: { config: 'version: v1alpha1\nmachine:\n  type: worker\n' } }),
  ],
])('no disk is taken over when %s', (_title, machine) => {
  expect(diskPickedBefore(machine)).toBeUndefined()
})
