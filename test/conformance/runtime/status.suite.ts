import { EtcdBackupSchedule } from '#api/etcd-backup-schedule.ts'
import { Machine } from '#api/machine.ts'
import { realApi } from '#test/conformance/apis.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import { statusContract } from './status-contract.ts'

statusContract({
  name: realApi.name,
  start: async () => {
    const api = await realApi.start()
    await installKinds(api.send, [EtcdBackupSchedule, Machine])
    return api
  },
})
