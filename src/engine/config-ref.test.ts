import { expect, test } from 'vitest'
import type { Reader } from '#runtime/reader.ts'
import { configTextOf } from './config-ref.ts'

const CONFIG_MAP = { metadata: { name: 'mine' }, data: { 'cp.yaml': 'machine: {}' } }

const read = {
  fetch: async (_kind: unknown, name: string) => (name === 'mine' ? CONFIG_MAP : undefined),
} as unknown as Reader // as far as it is asked

test.each([
  ['mine', 'cp.yaml', 'machine: {}'],
  ['mine', 'other', undefined],
  ['other', 'cp.yaml', undefined],
  ['mine', 'constructor', undefined],
  ['mine', '__proto__', undefined],
  ['', 'cp.yaml', undefined],
])('ConfigMap %j, key %j leads to %j', async (name, key, text) => {
  expect(await configTextOf({ configRef: { name, key } }, read)).toBe(text)
})

test('without a configRef it leads nowhere', async () => {
  expect(await configTextOf({}, read)).toBeUndefined()
  expect(await configTextOf(undefined, read)).toBeUndefined()
})
