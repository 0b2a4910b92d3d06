import { Worker } from '#api/worker.ts'
import { realApi } from '#test/conformance/apis.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import { clientContract } from './client-contract.ts'

clientContract({
  name: realApi.name,
  start: async () => {
    const api = await realApi.start()
    await installKinds(api.send, [Worker])
    return api
  },
})
