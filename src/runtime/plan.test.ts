import { expect, expectTypeOf, test } from 'vitest'
import type { EtcdBackupSchedule } from '#api/etcd-backup-schedule.ts'
import { no, type Plan, unknown, type Verdict, yes } from './plan.ts'

interface Step {
  do: 'startBackup'
  name: string
}
type SchedulePlan = Plan<Step, typeof EtcdBackupSchedule>

const aPlan = (): SchedulePlan => ({ steps: [], status: {}, conditions: {} })

test('a verdict says whether, why, and for a person', () => {
  expect([
    yes('Fine', 'all is well'),
    no('Paused', 'it is paused'),
    unknown('Dark', 'no idea'),
  ]).toEqual([
    { ok: true, reason: 'Fine', message: 'all is well' },
    { ok: false, reason: 'Paused', message: 'it is paused' },
    { ok: 'unknown', reason: 'Dark', message: 'no idea' },
  ])
})

test('a plan holds the fields of its kind’s status but for those that the runtime writes', () => {
  expectTypeOf<keyof SchedulePlan['status']>().toEqualTypeOf<
    'lastScheduleTime' | 'lastSuccessfulBackupTime' | 'nextScheduleTime' | 'activeBackups'
  >()
  expectTypeOf<SchedulePlan['status']['activeBackups']>().toEqualTypeOf<string[] | undefined>()
  expectTypeOf<SchedulePlan['conditions']>().toEqualTypeOf<
    Partial<Record<'Ready' | 'Failed', Verdict>>
  >()
})

test('a field may be set to nothing, which is as good as leaving it out', () => {
  const plan: SchedulePlan = { ...aPlan(), status: { nextScheduleTime: undefined } }

  expect(JSON.stringify(plan.status)).toBe('{}')
})

test('what the kind does not have does not compile', () => {
  const plans: SchedulePlan[] = [
    // @ts-expect-error the status has no such field
    { ...aPlan(), status: { nextScheduledTime: '2030-01-01T00:00:00Z' } },
    // @ts-expect-error the field is a list of names
    { ...aPlan(), status: { activeBackups: 1 } },
    // @ts-expect-error the runtime writes the conditions
    { ...aPlan(), status: { conditions: [] } },
    // @ts-expect-error the runtime says of which generation the status is
    { ...aPlan(), status: { observedGeneration: 1 } },
    // @ts-expect-error a condition that is misspelt
    { ...aPlan(), conditions: { Redy: yes('Fine', 'all is well') } },
    // @ts-expect-error one that is misspelt beside one that is not
    { ...aPlan(), conditions: { Ready: yes('A', 'b'), Faild: no('A', 'b') } },
    // @ts-expect-error there is no such step
    { ...aPlan(), steps: [{ do: 'stopBackup', name: 'a' }] },
    // @ts-expect-error a step lacks what it needs to know
    { ...aPlan(), steps: [{ do: 'startBackup' }] },
    // @ts-expect-error when to look again is a time
    { ...aPlan(), wakeAt: 5_000 },
  ]

  expect(plans).toHaveLength(9)
})
