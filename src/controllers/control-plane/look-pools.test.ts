import { expect, test } from 'vitest'
import type { Machine } from '#api/machine.ts'
import { aMachineSpec } from '#engine/pool.cases.ts'
import { aWorkerMachine } from '#test/builders.ts'
import { unlikeTalos } from './look-pools.ts'

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)]
const machine = (status: NonNullable<Machine['status']>, image?: string) =>
  aWorkerMachine({
    metadata: { name: 'one' },
    spec: image === undefined ? {} : { machineSpec: aMachineSpec({ image }) },
    status,
  })

test.each([
  ['runs another version', machine({ observedVersion: 'v1.12.4' }), true],
  ['runs another schematic', machine({ observedSchematic: A }, `factory/installer/${B}`), true],
  [
    'runs none, and waits to be of one',
    machine({ pending: { work: 'upgrade', needs: 'reboot' } }, `factory/installer/${B}`),
    true,
  ],
  ['was not looked at yet', machine({}, `factory/installer/${B}`), false],
  [
    'runs what it is to',
    machine({ observedVersion: 'v1.13.0', observedSchematic: B }, `factory/installer/${B}`),
    false,
  ],
  ['has an image that names no schematic', machine({ observedSchematic: A }, 'mine'), false],
  [
    'waits for a configuration',
    machine({ pending: { work: 'configuration', needs: 'live' } }),
    false,
  ],
])('a machine that %s is to have another Talos: %s', (_what, one, isUnlike) => {
  expect(unlikeTalos([one])).toEqual(isUnlike ? ['one'] : [])
})
