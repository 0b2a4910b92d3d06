import { describe, expect, test } from 'vitest'
import { ADOPTED, BOOTSTRAP_MACHINE, RECONCILE_MODE } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { plan } from '#controllers/control-plane/plan.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { aMember, aWorld, NOW } from '#test/control-plane-world.ts'

const IMPORT = { [RECONCILE_MODE]: 'import' }
const CONFIG_REF = { name: 'conf', key: 'controlplane.yaml' }

const imported = (annotations: Record<string, string> = {}, configRef = CONFIG_REF) =>
  aControlPlane({
    metadata: { annotations: { ...IMPORT, ...annotations } },
    spec: { configRef },
  })

const seen = (reason = 'Importing'): Machine =>
  aMachine({
    status: {
      ...{ uuid: 'uuid-1', observedGeneration: 1, observedVersion: 'v1.12.3' },
      etcdMember: { id: '01', learner: false },
      etcdMembers: [{ id: '01', name: 'cp-1', learner: false }],
      conditions: [
        {
          ...{ type: 'Ready', status: 'False', reason, message: 'what it says' },
          lastTransitionTime: '2030-01-01T00:00:00Z',
        },
      ],
    },
  })

const worldOf = (machine: Machine, over: Partial<World> = {}): World =>
  aWorld({ machines: [machine], pool: { ...aWorld().pool, known: [machine] }, ...over })

const FROM_CONFIG = { is: 'to be made' as const, from: 'configRef' as const }

const decided = (world: World, controlPlane = imported()) => {
  const { steps, conditions, status } = plan(controlPlane, world, NOW)
  return [steps.map((step) => step.do), status.state, conditions.Ready?.reason]
}

describe('a cluster that is to be imported', () => {
  test('is not touched, and its secrets are not taken, before all of it was seen', () => {
    const world = worldOf(seen('Unreachable'), { secrets: FROM_CONFIG })

    expect(decided(world)).toEqual([[], undefined, 'Importing'])
    expect(decided(worldOf(seen('ImportDiffers')))).toEqual([[], undefined, 'ImportDiffers'])
  })

  test('has the objects of its machines made, which look', () => {
    const { spec, metadata, apiVersion, kind } = aMachine()
    const draft = { apiVersion, kind, metadata, spec: spec ?? { endpoint: '', version: '' } }
    const pool = { ...aWorld().pool, missing: [draft as never] } // as far as it is looked at

    expect(decided(aWorld({ machines: [], pool }))).toEqual([
      ['createMachine'],
      undefined,
      'Importing',
    ])
  })

  test('waits for addresses that are not known, and for names that are taken', () => {
    const unresolved = { reason: 'WaitingForAddress', message: 'not there' }
    const taken = [{ draft: aMachine() as never, machine: aMachine() }] // as far as it is looked at

    expect(decided(worldOf(seen(), { unresolved }))[2]).toBe('WaitingForAddress')
    expect(decided(worldOf(seen(), { pool: { ...aWorld().pool, taken } }))[2]).toBe(
      'MachineNameTaken',
    )
  })

  test('that is as it is described gives us its secrets first, and is ours then', () => {
    const recorded = { 'talos.alperen.cloud/cluster-id': 'id-1' }

    expect(decided(worldOf(seen(), { secrets: FROM_CONFIG }))).toEqual([
      ['createSecrets'],
      undefined,
      'CreatingSecrets',
    ])
    expect(decided(worldOf(seen()))).toEqual([['recordCluster'], undefined, 'CreatingSecrets'])
    expect(decided(worldOf(seen()), imported(recorded))).toEqual([
      ['adopt'],
      'Bootstrapped',
      'Importing',
    ])
    expect(plan(imported(recorded), worldOf(seen()), NOW).steps).toEqual([
      { do: 'adopt', machines: ['uuid-1'], contract: 'v1.12', kubeVersion: 'v1.35.0' },
    ])
  })

  test('needs its keys', () => {
    const secrets = { is: 'refused' as const, reason: 'SecretsLost' as const, message: 'lost' }
    const { spec, ...rest } = imported()
    const { configRef: _none, ...without } = spec ?? aControlPlane().spec ?? {}
    const keyless = { ...rest, spec: without } as ReturnType<typeof aControlPlane> // less is asked for

    expect(decided(worldOf(seen(), { secrets }), keyless)[2]).toBe('ConfigRefMissing')
    // With some that are wrong it says what is wrong with them.
    expect(decided(worldOf(seen(), { secrets }))[2]).toBe('SecretsLost')
  })

  test('has those of an older operator put where they belong before its machines are asked', () => {
    const secrets = { is: 'to be made' as const, from: 'state' as const }

    expect(decided(worldOf(seen('NotAsked'), { secrets }))[0]).toEqual(['createSecrets'])
  })
})

test.each([
  ['was imported', imported({ [ADOPTED]: 'uuid-1' })],
  ['runs already', imported({ [BOOTSTRAP_MACHINE]: 'uuid-1' })],
])('a control plane that %s is one like any other', (_what, controlPlane) => {
  const { steps } = plan(controlPlane, worldOf(seen('ImportDiffers')), NOW)

  expect(steps.map((step) => step.do)).toEqual(['recordCluster'])
})

test('one that has a machine of ours is not imported', () => {
  expect(decided(aWorld({ machines: [aMember(1)] }))[0]).toEqual(['recordCluster'])
})

test('that it was imported is in its status', () => {
  const { status } = plan(imported({ [ADOPTED]: 'uuid-1' }), worldOf(seen()), NOW)

  expect(status.imported).toBe(true)
})
