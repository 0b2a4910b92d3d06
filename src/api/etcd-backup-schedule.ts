import { etcdBackupSpec } from './etcd-backup.ts'
import { defineKind, type Resource, TALOS_GROUP } from './meta.ts'
import { flag, integer, list, object, optional, text } from './schema.ts'
import { conditions, NOT_BUILT_YET, observedGeneration } from './shapes.ts'

/** Takes an etcd backup whenever the cron schedule comes due, and keeps the newest few. */
export const EtcdBackupSchedule = defineKind({
  group: TALOS_GROUP,
  version: 'v1alpha1',
  kind: 'TalosEtcdBackupSchedule',
  plural: 'talosetcdbackupschedules',
  stem: 'etcd-backup-schedule',
  shortNames: ['tebs'],
  description: `Takes etcd backups of a cluster on a schedule, and keeps the newest few. ${NOT_BUILT_YET}`,
  columns: [
    {
      name: 'Schedule',
      jsonPath: '.spec.schedule',
      type: 'string',
      description: 'When backups are taken.',
    },
    {
      name: 'Last Backup',
      jsonPath: '.status.lastSuccessfulBackupTime',
      type: 'date',
      description: 'When a backup last succeeded.',
    },
    {
      name: 'Next Backup',
      jsonPath: '.status.nextScheduleTime',
      // A date column shows an age, and of a time to come only `<invalid>`.
      type: 'string',
      description: 'When the next backup is due.',
    },
    {
      name: 'Paused',
      jsonPath: '.spec.paused',
      type: 'boolean',
      description: 'Whether new backups are suspended.',
    },
  ],
  specRequired: true,
  spec: object('When backups are taken, of what, and how many are kept.', {
    schedule: text(
      'When to take a backup: five cron fields, or `@daily` and the like; `CRON_TZ=Europe/Oslo ` in front sets the time zone, which is UTC otherwise.',
      { minLength: 1 },
    ),
    backupTemplate: object('The TalosEtcdBackup that is made each time.', {
      spec: etcdBackupSpec,
    }),
    retention: integer('How many successful backups to keep.', {
      format: 'int32',
      minimum: 1,
      default: 5,
    }),
    paused: flag('Take no new backups; keep the ones there are.', { default: false }),
  }),
  status: object('What the schedule has done and will do.', {
    observedGeneration,
    lastScheduleTime: optional(
      text('When a backup was last due and made.', { format: 'date-time' }),
    ),
    lastSuccessfulBackupTime: optional(
      text('When a backup last succeeded.', { format: 'date-time' }),
    ),
    nextScheduleTime: optional(text('When the next backup is due.', { format: 'date-time' })),
    activeBackups: optional(
      list('Backups that are being taken.', text('Name of a TalosEtcdBackup.')),
    ),
    conditions,
  }),
  conditions: {
    Ready: 'Backups are being taken on time.',
    Failed: {
      meaning: 'The schedule cannot be read, or a backup could not be made.',
      forReady: 'False',
    },
  },
})
export type EtcdBackupSchedule = Resource<typeof EtcdBackupSchedule>
