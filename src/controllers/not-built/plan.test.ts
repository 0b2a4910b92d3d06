import { expect, test } from 'vitest'
import { AddonRelease } from '#api/addon-release.ts'
import { EtcdBackup } from '#api/etcd-backup.ts'
import { EtcdBackupSchedule } from '#api/etcd-backup-schedule.ts'
import type { Kind } from '#api/meta.ts'
import { planFor, teardownOf } from './plan.ts'

const unbuilt = (kind: Kind) => ({
  ...{ kind, what: 'that', instead: 'do this', stays: 'something stays' },
})
const anObject = (status?: object) => ({
  ...{ apiVersion: 'v1', kind: 'Any', metadata: { name: 'one' } },
  ...(status && { status }),
})
const readySays = (reason: string) => ({
  ...{ type: 'Ready', status: 'True', reason, message: 'said' },
  lastTransitionTime: '2026-01-01T00:00:00Z',
})
const SAID = { reason: 'NotSupportedYet' }
const WORDS = 'that is not supported yet: nothing is done; do this'

test('that nobody does it is said in the status and in one event, and nothing holds the object', () => {
  expect(planFor(unbuilt(EtcdBackup), anObject())).toEqual({
    ...{ steps: [], status: {}, needsTeardown: false },
    conditions: { Ready: { ok: false, message: WORDS, ...SAID } },
    notices: [{ type: 'Warning', message: WORDS, ...SAID }],
  })
})

test.each([AddonRelease, EtcdBackupSchedule])(
  '$kind: what another operator has done stays told, and that it is ready does not',
  (kind) => {
    const fields = { lastScheduleTime: '2026-01-01T00:00:00Z' }
    const conditions = [readySays('ScheduleActive')]
    const status = { ...fields, conditions, observedGeneration: 3 }

    const { conditions: said, status: kept } = planFor(unbuilt(kind), anObject(status))
    expect(kept).toEqual(fields)
    expect(said.Ready).toMatchObject({ ok: false, ...SAID })
  },
)

test('a backup that another operator has taken is what it was', () => {
  const status = { filename: 'a.db', conditions: [readySays('BackupSucceeded')] }

  expect(planFor(unbuilt(EtcdBackup), anObject(status))).toEqual({
    ...{ steps: [], status: { filename: 'a.db' }, needsTeardown: false },
    conditions: { Ready: { ok: true, reason: 'BackupSucceeded', message: 'said' } },
  })
})

test('a backup that another operator did not finish is one that nobody takes', () => {
  const conditions = [{ ...readySays('BackupInProgress'), type: 'Progressing' }]
  const { conditions: said } = planFor(unbuilt(EtcdBackup), anObject({ conditions }))

  expect(said).toMatchObject({ Ready: SAID })
})

test.each([
  [EtcdBackup, { filename: 'a.db' }, ': a.db'],
  [EtcdBackup, undefined, ''],
  [AddonRelease, undefined, ''],
])('%#: one that another operator held goes, and says what stays', (kind, status, where) => {
  expect(teardownOf(unbuilt(kind), anObject(status))).toEqual({
    finished: true,
    notices: [
      {
        ...{ type: 'Warning', reason: 'LeftBehind' },
        message: `nothing is taken away that was made of it: something stays${where}`,
      },
    ],
  })
})
