import { expect, test } from 'vitest'
import { builtinKinds } from '#apiserver/builtin-kinds.ts'
import { memoryBackend } from '#apiserver/store/backends/memory.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import { surroundingsIn } from '#apiserver/surroundings.ts'
import { systemClock } from '#base/clock.ts'
import { fieldSelectorOf } from './field-selector.ts'

async function podResource() {
  await using store = await openStore({ backend: memoryBackend(), clock: systemClock })
  const pods = builtinKinds(surroundingsIn(store)).find(({ plural }) => plural === 'pods')
  if (!pods) throw new Error('there are no pods')
  return pods
}

test('pods are selected by their node and their phase', async () => {
  const selector = fieldSelectorOf('spec.nodeName=n,status.phase!=Failed', await podResource())

  expect(selector?.matches({ spec: { nodeName: 'n' }, status: { phase: 'Running' } })).toBe(true)
  expect(selector?.matches({ spec: { nodeName: 'n' }, status: { phase: 'Failed' } })).toBe(false)
})

test.each(['spec.image', '__proto__', 'constructor', 'toString'])(
  'pods cannot be selected by %s',
  async (field) => {
    const resource = await podResource()

    expect(() => fieldSelectorOf(`${field}=x`, resource)).toThrow(
      `field label not supported: ${field}`,
    )
  },
)
