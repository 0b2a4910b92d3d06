import { expect, test } from 'vitest'
import { CONFIG, CONFIG_REJECTED, CONFIG_TRIED } from '#api/labels.ts'
import { aMachine } from '#test/builders.ts'
import {
  closedText,
  configRecord,
  lastTried,
  recordText,
  rejectionOf,
  rejectionText,
  triedText,
  triedWith,
} from './config-record.ts'

const noting = (annotations: Record<string, string>) => aMachine({ metadata: { annotations } })

test('what a machine was given is read back, and nothing from what is half of it', () => {
  const record = { origin: 'from', config: 'is' }

  expect(configRecord(noting({ [CONFIG]: recordText(record) }))).toEqual(record)
  expect(configRecord(noting({}))).toBeUndefined()
  expect(configRecord(noting({ [CONFIG]: 'from' }))).toBeUndefined()
})

test('a try counts for the configuration that it was with', () => {
  const at = new Date('2030-01-01T00:00:00Z')
  const tried = { config: 'is', times: 2, at, mode: 'try' as const }
  const machine = noting({ [CONFIG_TRIED]: triedText(tried) })

  expect(triedWith(machine, 'is')).toEqual(tried)
  expect(triedWith(machine, 'other')).toBeUndefined()
})

const at = new Date('2030-01-01T00:00:00Z')

test.each([
  { config: 'is', times: 1, at, mode: 'live' as const },
  { config: 'is', times: 1, at, mode: 'try' as const, isCutOff: true },
  { config: 'is', times: 1, at, mode: 'reboot' as const, boot: 'b1' },
  { config: 'is', times: 1, at, mode: 'reboot' as const, boot: 'b1', boots: 2 },
])('all that is known of a try is read back: $mode', (tried) => {
  expect(lastTried(noting({ [CONFIG_TRIED]: triedText(tried) }))).toEqual(tried)
})

test('a try of which it is known what became counts no more, and was one', () => {
  const tried = { config: 'is', times: 3, at, mode: 'reboot' as const, boot: 'b1', boots: 2 }

  expect(lastTried(noting({ [CONFIG_TRIED]: closedText(tried) }))).toEqual({
    ...{ config: 'is', times: 0, at, mode: 'live' },
  })
})

test.each([
  'is',
  'is x 2030-01-01T00:00:00Z try',
  'is 1 never try',
  'is 1 2030-01-01T00:00:00Z so',
])('what is no try is none: %s', (text) => {
  expect(triedWith(noting({ [CONFIG_TRIED]: text }), 'is')).toBeUndefined()
})

test('a refusal counts for its configuration, in one line that is not too long', () => {
  const text = rejectionText('is', `unknown\n  keys ${'x'.repeat(2_000)}`)
  const machine = noting({ [CONFIG_REJECTED]: text })

  expect(rejectionOf(machine, 'is')).toMatch(/^unknown keys x{980,}$/)
  expect(text.length).toBeLessThan(1_100)
  expect(rejectionOf(machine, 'i')).toBeUndefined()
  expect(rejectionOf(noting({}), 'is')).toBeUndefined()
})
