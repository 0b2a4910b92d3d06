import { describe, expect, it } from 'vitest'
import {
  causesOf,
  invalidField,
  mostTold,
  notSupported,
  required,
  shown,
  shownFloat,
  tooLong,
  tooMany,
  Verbatim,
} from './field-error.ts'

describe('a value in an error', () => {
  it.each([
    ['a text as Go quotes it', 'b<&>"\u0007é\u200b', '"b<&>\\"\\aé\\u200b"'],
    ['control characters', '\u0001\n\t\x7f', '"\\x01\\n\\t\\x7f"'],
    ['a character beyond the first plane', '😀\u{e0001}', '"😀\\U000e0001"'],
    ['a whole number', 3000000000, '3000000000'],
    ['a fraction', 2.5, '2.5'],
    ['a small fraction', 0.00001, '1e-05'],
    ['a large fraction', 10000000.5, '1.00000005e+07'],
    ['what is beyond 64 bits', 1e21, '1e+21'],
    ['a boolean', true, 'true'],
    ['nothing', null, 'null'],
    [
      'an object, with its keys in order and nothing like HTML',
      { b: '<x>', a: [1, { d: 1, c: 2 }] },
      '{"a":[1,{"c":2,"d":1}],"b":"\\u003cx\\u003e"}',
    ],
    ['what is in an order of its own', new Verbatim('{"b":1,"a":2}'), '{"b":1,"a":2}'],
  ])('is %s', (_, value, text) => {
    expect(shown(value)).toBe(text)
  })

  it('is a floating-point number even where it is whole, if it is compared as one', () => {
    expect([shownFloat(3e9), shownFloat(2), shownFloat(0.5)]).toEqual(['3e+09', '2', '0.5'])
  })
})

describe('an error', () => {
  it('has no detail where there is nothing to say', () => {
    expect(invalidField('a', 1, '').message).toBe('Invalid value: 1')
  })

  it('lists what is supported in the order it was given', () => {
    expect(notSupported('a', 'x', ['b', 'a']).message).toBe(
      'Unsupported value: "x": supported values: "b", "a"',
    )
    expect(notSupported('a', 'x', []).message).toBe('Unsupported value: "x"')
  })

  it('counts in one or many', () => {
    expect(tooLong('a', 1).message).toBe('Too long: may not be more than 1 byte')
    expect(tooLong('a', 3, 'character').message).toBe('Too long: may not be more than 3 characters')
    expect(tooMany('a', 2, 1).message).toBe('Too many: 2: must have at most 1 item')
  })
})

describe('very many errors', () => {
  const many = Array.from({ length: 5000 }, (_, at) => invalidField(`a[${at}]`, at, ''))

  it('are told as far as somebody reads them, the first ones first', () => {
    expect(causesOf(mostTold([...many]))).toEqual(causesOf(many))
    expect(causesOf(many)).toHaveLength(1000)
  })

  it('keep one of each kind, so that a kind which stops what follows is not overlooked', () => {
    const last = [required('b', ''), required('c', '')]
    expect(mostTold([...many, ...last]).slice(1000)).toEqual([last[0]])
  })

  it('are all kept while they are few', () => {
    const few = many.slice(0, 1000)
    expect(mostTold(few)).toBe(few)
  })
})
