import { expect, test } from 'vitest'
import { MAY_GO } from '#api/labels.ts'
import { aWriter } from '#test/a-writer.ts'
import { aControlPlane } from '#test/builders.ts'
import { aWorld } from '#test/control-plane-world.ts'
import { permits } from './permits.ts'

test('a machine may go, or not, by a note on its very object', async () => {
  const { write, written } = aWriter()
  const on = { resource: aControlPlane(), world: aWorld(), write }
  const machine = { machine: 'one-1', uid: 'u' }

  await permits.letGo({ do: 'letGo', ...machine }, on)
  await permits.keepBack({ do: 'keepBack', ...machine }, on)

  const patched = (value: string | null) => ({
    ...{ how: 'patch', name: 'one-1' },
    what: { type: 'merge', body: { metadata: { uid: 'u', annotations: { [MAY_GO]: value } } } },
  })
  expect(written).toEqual([patched('true'), patched(null)])
})
