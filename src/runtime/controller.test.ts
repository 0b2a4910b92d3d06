import { describe, expect, expectTypeOf, test } from 'vitest'
import { EtcdBackup } from '#api/etcd-backup.ts'
import { EtcdBackupSchedule } from '#api/etcd-backup-schedule.ts'
import { ConfigMap } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import { defineController, labelValueOf, madeBy, ownedBy } from './controller.ts'
import type { Definition } from './definition.ts'
import type { Plan } from './plan.ts'

type Step = { do: 'startBackup'; name: string } | { do: 'pruneBackup'; because: string }
type Kind = typeof EtcdBackupSchedule
interface World {
  backups: string[]
}

const act: Definition<Kind, World, Step>['act'] = {
  startBackup: async () => {},
  pruneBackup: async () => {},
}

const definition: Definition<Kind, World, Step> = {
  kind: EtcdBackupSchedule,
  observe: () => ({ backups: [] }),
  plan: () => ({ steps: [], status: {}, conditions: {} }),
  act,
}

const aSchedule = (name = 'hourly') => ({ metadata: { name, namespace: 'default', uid: 'uid-1' } })

const LABEL_VALUE = /^[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$/

describe('what is declared', () => {
  test('a kind by itself is read from the cache, and written in every way', () => {
    const controller = defineController({
      ...definition,
      reads: [EtcdBackup],
      writes: [EtcdBackup],
    })

    expect(controller.reads).toEqual([{ kind: EtcdBackup, from: 'cache' }])
    expect(controller.writes).toEqual([{ kind: EtcdBackup, verbs: ['create', 'patch', 'delete'] }])
  })

  test('what is said in full stays as it is said', () => {
    const namedBy = () => ['settings']
    const reads = [
      { kind: ConfigMap, from: 'api' as const },
      { kind: EtcdBackup, namedBy },
    ]
    const writes = [{ kind: ConfigMap, verbs: ['create'] as const }]

    const controller = defineController({ ...definition, reads, writes })

    expect(controller.reads).toEqual([
      { kind: ConfigMap, from: 'api' },
      { kind: EtcdBackup, from: 'cache', namedBy },
    ])
    expect(controller.writes).toEqual(writes)
  })

  test('a kind that is read twice is refused, as only one of them would count', () => {
    const reads = [{ kind: EtcdBackup, namedBy: () => ['a'] }, EtcdBackup]

    expect(() => defineController({ ...definition, reads })).toThrow(
      'TalosEtcdBackupSchedule reads talosetcdbackups.talos.alperen.cloud twice: declare it once',
    )
  })

  test('nothing is read and nothing is written unless it is said', () => {
    const { kind, reads, writes, hasTeardown } = defineController(definition)

    expect({ kind, reads, writes, hasTeardown }).toEqual({
      ...{ kind: EtcdBackupSchedule, reads: [], writes: [], hasTeardown: false },
    })
  })

  test('whoever can take down keeps resources from going before that', () => {
    const teardown = () => 'finished' as const

    expect(defineController({ ...definition, teardown }).hasTeardown).toBe(true)
  })

  test('a resource is its own cluster unless it is said', () => {
    const clusterOf = () => 'prod'

    expect(defineController(definition).clusterOf(aSchedule())).toBe('hourly')
    expect(defineController({ ...definition, clusterOf }).clusterOf(aSchedule())).toBe('prod')
  })
})

describe('what does not fit does not compile', () => {
  const fitting = defineController<Kind, World, Step>
  const fine = { ok: true, reason: 'Fine', message: 'all is well' }

  test('a step without an act, and an act without a step', () => {
    const controllers = [
      // @ts-expect-error nobody knows how to prune
      fitting({ ...definition, act: { startBackup: async () => {} } }),
      // @ts-expect-error there is no step that rests
      fitting({ ...definition, act: { ...act, rest: async () => {} } }),
      // @ts-expect-error nobody tells of a step that is none
      fitting({ ...definition, tell: { rest: () => ({ reason: 'Rested', message: 'rest' }) } }),
      // @ts-expect-error an act is done in its own time
      fitting({ ...definition, act: { ...act, startBackup: () => 'done' } }),
    ]

    expect(controllers).toHaveLength(4)
  })

  test('a condition that is misspelt, and a field that the status lacks', () => {
    const plans: Definition<Kind, World, Step>['plan'][] = [
      // @ts-expect-error it is Ready
      () => ({ steps: [], status: {}, conditions: { Redy: fine } }),
      // @ts-expect-error it is nextScheduleTime
      () => ({ steps: [], status: { nextTime: '2030-01-01T00:00:00Z' }, conditions: {} }),
      (): Plan<Step, Kind> => ({
        steps: [],
        status: {},
        conditions: {
          Ready: fine,
          // @ts-expect-error it is Failed, and the plan says what it returns
          Faild: fine,
        },
      }),
      // @ts-expect-error a plan does not wait
      async () => ({ steps: [], status: {}, conditions: {} }),
    ]

    expect(plans).toHaveLength(4)
  })

  test('each part knows the resource, the world and the step', () => {
    fitting({
      ...definition,
      observe: (schedule) => {
        expectTypeOf(schedule).toEqualTypeOf<ObjectOf<Kind>>()
        return { backups: [schedule.spec.schedule] }
      },
      plan: (_schedule, world, now) => {
        expectTypeOf(world).toEqualTypeOf<World>()
        expectTypeOf(now).toEqualTypeOf<Date>()
        return { steps: [], status: {}, conditions: {} }
      },
      act: {
        startBackup: async (step) =>
          expectTypeOf(step).toEqualTypeOf<Extract<Step, { name: string }>>(),
        pruneBackup: async ({ because }) => expectTypeOf(because).toEqualTypeOf<string>(),
      },
      tell: {
        pruneBackup: ({ because }) => ({
          ...{ reason: 'Pruned', failure: 'FailedPrune', deed: because, done: because },
        }),
      },
    })
  })
})

describe('what a resource makes', () => {
  test('is labelled with its name', () => {
    expect(madeBy(EtcdBackupSchedule, aSchedule())).toEqual({
      'talos.alperen.cloud/etcd-backup-schedule': 'hourly',
    })
  })

  test.each([
    ['short', 'hourly'],
    ['as long as a label may be', 'x'.repeat(63)],
    ['too long', 'x'.repeat(64)],
    ['too long, with a dot where it is cut', `${'x'.repeat(39)}.${'y'.repeat(200)}`],
    ['as long as a name may be', 'x'.repeat(253)],
  ])('has a valid label where the name is %s', (_what, name) => {
    const value = labelValueOf(name)

    expect(value).toMatch(LABEL_VALUE)
    expect(labelValueOf(name)).toBe(value)
  })

  test('is told from what others of long names make, whose labels are valid too', () => {
    const values = [...Array(500).keys()].map((at) => labelValueOf(`${'x'.repeat(100)}${at}`))

    expect(new Set(values).size).toBe(500)
    expect(values.filter((value) => !LABEL_VALUE.test(value))).toEqual([])
  })

  test('names its owner, who controls it and does not go before it', () => {
    expect(ownedBy(EtcdBackupSchedule, aSchedule())).toEqual({
      apiVersion: 'talos.alperen.cloud/v1alpha1',
      kind: 'TalosEtcdBackupSchedule',
      name: 'hourly',
      uid: 'uid-1',
      controller: true,
      blockOwnerDeletion: true,
    })
  })

  test('cannot be owned by what the server has not made yet', () => {
    const draft = { metadata: { name: 'hourly' } }

    expect(() => ownedBy(EtcdBackupSchedule, draft)).toThrow('hourly has no uid')
  })
})
