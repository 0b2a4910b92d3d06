import { describe, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { Worker } from '#api/worker.ts'
import { apis } from '#test/conformance/apis.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import { clientContract } from './client-contract.ts'
import { clientOf } from './client-of.ts'

for (const { name, start } of apis) {
  clientContract({
    name,
    start: async () => {
      const api = await start()
      await installKinds(api.send, kinds)
      return api
    },
  })
}

describe.each(apis)('validation by $name', ({ start }) => {
  test('what the server objects to is told field by field', async () => {
    await using api = await start()
    await installKinds(api.send, kinds)
    const client = await clientOf(api)
    const draft = { metadata: { namespace: 'default', name: 'wrong' }, spec: { version: '1' } }

    const creating = client.create(Worker, draft)

    await expect(creating).rejects.toMatchObject({
      reason: 'Invalid',
      causes: expect.arrayContaining([expect.objectContaining({ field: 'spec.version' })]),
    })
    client.close()
  })
})
