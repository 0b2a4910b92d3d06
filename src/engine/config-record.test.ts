import { expect, test } from 'vitest'
import { CONFIG, CONFIG_REJECTED, CONFIG_TRIED } from '#api/labels.ts'
import { aMachine } from '#test/builders.ts'
import {
  configRecord,
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
