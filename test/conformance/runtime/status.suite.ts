import { EtcdBackupSchedule } from '#api/etcd-backup-schedule.ts'
import { Machine } from '#api/machine.ts'
import { apis } from '#test/conformance/apis.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import { statusContract } from './status-contract.ts'

for (const { name, start } of apis) {
  statusContract({
    name,
    start: async () => {
      const api = await start()
      await installKinds(api.send, [EtcdBackupSchedule, Machine])
      return api
    },
  })
}
