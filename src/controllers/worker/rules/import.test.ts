import { describe, expect, test } from 'vitest'
import { ADOPTED, ETCD_SEEN, MACHINE_UUID, RECONCILE_MODE } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/worker/decision.ts'
import type { World } from '#controllers/worker/world.ts'
import { aControlPlane, aWorker, aWorkerMachine } from '#test/builders.ts'
import { adopt, importPool, importWaits } from './import.ts'

const importedPool = (annotations: Record<string, string> = {}) =>
  aWorker({ metadata: { annotations: { [RECONCILE_MODE]: 'import', ...annotations } } })

const seen = (reason = 'Importing', annotations: Record<string, string> = {}): Machine =>
  aWorkerMachine({
    metadata: { annotations },
    status: {
      ...{ uuid: 'uuid-1', observedGeneration: 1 },
      conditions: [
        {
          ...{ type: 'Ready', status: 'False', reason, message: 'what it says' },
          lastTransitionTime: '2030-01-01T00:00:00Z',
        },
      ],
    },
  })

const RUNS = { metadata: { annotations: { [ETCD_SEEN]: 'uuid-9' } } }
const NOTHING = { missing: [], changed: [], same: [], surplus: [], taken: [], waiting: [] }

const aWorld = (machine: Machine, over: Partial<World> = {}): World => ({
  ...{ controlPlane: aControlPlane(RUNS), machines: [machine], isOld: false },
  elsewhere: [],
  unasked: [],
  rejecting: [],
  isControlPlaneReady: true,
  isKubernetesMoving: false,
  mayKubeletsMove: false,
  pool: { ...NOTHING, known: [machine] },
  ...{ turns: { turns: { last: 0, held: [] }, gone: new Set() }, unresolved: undefined },
  ...{ problem: undefined, warnings: [], means: {} },
  config: { name: 'pool-config', due: undefined },
  ...over,
})

const rules: readonly Rule[] = [importWaits, importPool, adopt]

const decided = (world: World, worker = importedPool()) => {
  const decision = rules.map((rule) => rule(worker, world)).find((one) => one !== undefined)
  return decision && [decision.steps ?? [], decision.ready?.reason]
}

describe('a pool that is to be imported', () => {
  test('waits for its control plane', () => {
    const controlPlane = aControlPlane()

    expect(decided(aWorld(seen(), { controlPlane }))).toEqual([[], 'Importing'])
    expect(importWaits(importedPool(), aWorld(seen(), { controlPlane: undefined }))).toBeUndefined()
  })

  test('is taken over when all of its machines are as they are described', () => {
    expect(decided(aWorld(seen('Unreachable')))).toEqual([[], 'Importing'])
    expect(decided(aWorld(seen('ImportDiffers')))).toEqual([[], 'ImportDiffers'])
    expect(decided(aWorld(seen()))).toEqual([[{ do: 'adopt', machines: ['uuid-1'] }], 'Importing'])
  })

  test('waits for addresses that are not known, and for names that are taken', () => {
    const unresolved = { reason: 'WaitingForAddress', message: 'not there' }
    const taken = [{ draft: aWorkerMachine() as never, machine: aWorkerMachine() }] // as far as it is looked at

    expect(decided(aWorld(seen(), { unresolved }))?.[1]).toBe('WaitingForAddress')
    expect(decided(aWorld(seen(), { pool: { ...NOTHING, known: [], taken } }))?.[1]).toBe(
      'MachineNameTaken',
    )
  })

  test('has the objects of its machines made, which look', () => {
    const missing = [aWorkerMachine() as never] // as far as it is looked at
    const pool = { ...NOTHING, known: [], missing }

    expect(decided(aWorld(seen(), { pool }))).toMatchObject([
      [{ do: 'createMachine' }],
      'Importing',
    ])
  })
})

test.each([
  ['is not to be imported', aWorker(), seen()],
  ['was imported', importedPool({ [ADOPTED]: 'uuid-1' }), seen()],
  ['has a machine of ours', importedPool(), seen('Tested', { [MACHINE_UUID]: 'uuid-1' })],
])('a pool that %s is one like any other', (_what, worker, machine) => {
  expect(decided(aWorld(machine), worker)).toBeUndefined()
})
