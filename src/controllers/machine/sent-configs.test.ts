import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { SentConfigs } from './sent-configs.ts'

test('a configuration that was taken is known for a minute, and no other', async () => {
  const clock = new FakeClock()
  const sent = new SentConfigs({ clock })
  sent.note('uuid-1', 'config-1')

  expect(sent.has('uuid-1', 'config-1')).toBe(true)
  expect(sent.has('uuid-1', 'config-2')).toBe(false)
  expect(sent.has('uuid-2', 'config-1')).toBe(false)

  await clock.advance(60_001)
  expect(sent.has('uuid-1', 'config-1')).toBe(false)
})

test('what is too old to matter is forgotten with the next one', async () => {
  const clock = new FakeClock()
  const sent = new SentConfigs({ clock })
  sent.note('uuid-1', 'config-1')
  await clock.advance(60_001)
  sent.note('uuid-2', 'config-1')

  expect(sent.has('uuid-2', 'config-1')).toBe(true)
  expect(sent.has('uuid-1', 'config-1')).toBe(false)
})
