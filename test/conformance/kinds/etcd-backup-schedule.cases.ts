import { inside, type KindCases, type Spec } from './cases.ts'
import { etcdBackupCases } from './etcd-backup.cases.ts'

const backupTemplate = {
  spec: {
    talosControlPlaneRef: { name: 'prod' },
    backupStorage: {
      s3: {
        bucket: 'my-etcd-backups',
        region: 'us-west-2',
        accessKeyID: { name: 'my-s3-credentials', key: 'accessKeyID' },
        secretAccessKey: { name: 'my-s3-credentials', key: 'secretAccessKey' },
      },
    },
  },
}

/** A schedule with nothing that could be left out. */
const daily = (changes: Spec = {}): Spec => ({
  schedule: '0 2 * * *',
  backupTemplate,
  ...changes,
})

const backups = inside(['backupTemplate', 'spec'], etcdBackupCases, { schedule: '0 2 * * *' })

export const etcdBackupScheduleCases: KindCases = {
  accepted: [
    {
      title: 'a schedule and a template; all defaults are filled in',
      spec: daily(),
      becomes: {
        schedule: '0 2 * * *',
        retention: 5,
        paused: false,
        backupTemplate: { spec: { storageType: 's3' } },
      },
    },
    ...['@daily', 'CRON_TZ=Europe/Oslo 0 2 * * *', '@every 6h'].map((schedule) => ({
      title: `the schedule ${schedule}`,
      spec: daily({ schedule }),
      becomes: { schedule },
    })),
    {
      title: 'a schedule that cannot be read: the controller judges it',
      spec: daily({ schedule: 'each night' }),
      becomes: { schedule: 'each night' },
    },
    { title: 'one backup is kept', spec: daily({ retention: 1 }), becomes: { retention: 1 } },
    { title: 'a paused schedule', spec: daily({ paused: true }), becomes: { paused: true } },
    {
      title: 'another schedule and retention later on',
      from: daily(),
      spec: daily({ schedule: '@weekly', retention: 7 }),
      becomes: { schedule: '@weekly', retention: 7 },
    },
    {
      title: 'a field that the schema does not know is dropped',
      spec: daily({ colour: 'blue', backupTemplate: { ...backupTemplate, metadata: {} } }),
      drops: ['colour', 'backupTemplate.metadata'],
    },
    ...backups.accepted,
  ],
  refused: [
    { title: 'no spec at all', at: 'spec', says: 'Required value' },
    { title: 'no schedule', spec: { backupTemplate }, at: 'spec.schedule', says: 'Required value' },
    {
      title: 'an empty schedule',
      spec: daily({ schedule: '' }),
      at: 'spec.schedule',
      says: 'should be at least 1 chars long',
    },
    {
      title: 'no template',
      spec: { schedule: '@daily' },
      at: 'spec.backupTemplate',
      says: 'Required value',
    },
    {
      title: 'an empty template',
      spec: daily({ backupTemplate: {} }),
      at: 'spec.backupTemplate.spec',
      says: 'Required value',
    },
    ...[0, -1].map((retention) => ({
      title: `${retention} backups are kept`,
      spec: daily({ retention }),
      at: 'spec.retention',
      says: 'should be greater than or equal to 1',
    })),
    {
      title: 'a retention as text',
      spec: daily({ retention: '5' }),
      at: 'spec.retention',
      says: 'must be of type integer',
    },
    {
      title: 'a switch as text',
      spec: daily({ paused: 'true' }),
      at: 'spec.paused',
      says: 'must be of type boolean',
    },
    ...backups.refused,
  ],
}
