import { expect, test } from 'vitest'
import { AddressRange } from './address-range.ts'

const ALL = ['127.50.0.1', '127.50.0.2', '127.50.0.3']
const ANY = { wanted: undefined, last: undefined, reserved: new Set<string>() }

const aRange = (...taken: string[]) => new AddressRange(ALL, (address) => taken.includes(address))

test('gives the first address that is free', () => {
  expect(aRange().choose(ANY)).toBe('127.50.0.1')
  expect(aRange('127.50.0.1').choose(ANY)).toBe('127.50.0.2')
})

test('gives a machine the address that it had, and nobody else', () => {
  const reserved = new Set(['127.50.0.1'])

  expect(aRange().choose({ ...ANY, last: '127.50.0.3' })).toBe('127.50.0.3')
  expect(aRange().choose({ ...ANY, reserved })).toBe('127.50.0.2')
  expect(aRange('127.50.0.3').choose({ ...ANY, last: '127.50.0.3' })).toBe('127.50.0.1')
  expect(aRange().choose({ ...ANY, last: '10.0.0.1' })).toBe('127.50.0.1')
})

test('gives the address that is asked for, or none', () => {
  const range = aRange('127.50.0.1')

  expect(range.choose({ ...ANY, wanted: '127.50.0.2' })).toBe('127.50.0.2')
  expect(range.choose({ ...ANY, wanted: '127.50.0.1' })).toEqual({
    ...{
      reason: 'AddressNotAvailable',
      message: expect.stringContaining('another machine has it'),
    },
  })
  expect(range.choose({ ...ANY, wanted: '10.0.0.1' })).toEqual({
    reason: 'AddressNotAvailable',
    message: expect.stringContaining('has 127.50.0.1 to 127.50.0.3 (3) and no other'),
  })
})

test('says when there is none left, and what could not be used', () => {
  const range = aRange('127.50.0.1', '127.50.0.2')
  range.exclude('127.50.0.3', new Error('something listens there\n  why: …'))

  const refusal = range.choose(ANY)
  expect(refusal).toMatchObject({ reason: 'NoFreeAddress' })
  expect(Object(refusal).message).toMatch(/1 cannot be used: something listens there$/)
  expect(range.hasExcluded).toBe(true)
  range.include()
  expect(range.choose(ANY)).toBe('127.50.0.3')
})
