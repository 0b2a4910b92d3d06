import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { aMember, aWaiting, OTHER_UUID, UUID } from '#test/machine-world.ts'
import { SentConfigs } from './sent-configs.ts'
import type { Wanted } from './world.ts'

const config = (fingerprint: string): Wanted => ({
  ...{ is: 'known', fingerprint, origin: 'as-edited', metaText: undefined },
})

function aMemory() {
  const clock = new FakeClock()
  const sent = new SentConfigs({ clock })
  sent.note(UUID, 'config-1')
  return { clock, sent }
}

test('a configuration that was taken is known for a minute, and no other', async () => {
  const { clock, sent } = aMemory()

  expect(sent.hasTaken(aWaiting(), config('config-1'))).toBe(true)
  expect(sent.hasTaken(aWaiting(), config('config-2'))).toBe(false)
  expect(sent.hasTaken(aWaiting({ uuid: OTHER_UUID }), config('config-1'))).toBe(false)
  expect(sent.hasTaken({ is: 'silent', message: '' }, config('config-1'))).toBe(false)
  const unknown: Wanted = { is: 'waiting', reason: '', message: '' }
  expect(sent.hasTaken(aWaiting(), unknown)).toBe(false)

  await clock.advance(60_001)
  expect(sent.hasTaken(aWaiting(), config('config-1'))).toBe(false)
})

test('a machine that went on, and waits again, has taken nothing', () => {
  const { sent } = aMemory()
  sent.note(OTHER_UUID, 'config-1')

  expect(sent.hasTaken(aMember(), config('config-1'))).toBe(false)

  expect(sent.hasTaken(aWaiting(), config('config-1'))).toBe(false)
  expect(sent.hasTaken(aWaiting({ uuid: OTHER_UUID }), config('config-1'))).toBe(true)
})

test('what is too old to matter is forgotten with the next one', async () => {
  const { clock, sent } = aMemory()
  await clock.advance(60_001)
  sent.note(OTHER_UUID, 'config-1')

  expect(sent.hasTaken(aWaiting({ uuid: OTHER_UUID }), config('config-1'))).toBe(true)
  expect(sent.hasTaken(aWaiting(), config('config-1'))).toBe(false)
})
