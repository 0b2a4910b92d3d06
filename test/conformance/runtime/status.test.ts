import { EtcdBackupSchedule } from '#api/etcd-backup-schedule.ts'
import { Machine } from '#api/machine.ts'
import { anApi } from '#test/an-api.ts'
import { statusContract } from './status-contract.ts'

statusContract({
  name: 'embedded API',
  start: () => anApi({ kinds: [EtcdBackupSchedule, Machine] }),
})
