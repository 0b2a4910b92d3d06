import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonProblemIn } from './json-error.ts'
import { parseBodyInSteps, parseInSteps } from './parse-json.ts'
import { atOnce } from './steps.ts'

const parsed = (text: string): unknown => atOnce(parseInSteps(text))

/** A text, or what is thrown for it: nothing but that it is none. */
function verdictOf(parse: () => unknown): unknown {
  try {
    return { value: parse() }
  } catch {
    return 'no JSON'
  }
}

// So much that a text is parsed in slices, whatever it is.
const LONG = 'x'.repeat(40_000)
const around = (text: string): string[] => [
  `{"long":"${LONG}","a":${text},"b":[${text}, ${text} ,{"c":${text}}]}`,
  `[[${text},"${LONG}"],${text}\n,{"k":{"${LONG}":${text}},"z":${text}}]`,
  ` [ "${LONG}" , ${text} ] `,
  `{"a" : [ {"${LONG}":[${text}]} , ${text} ] }`,
]

test('a long text in slices is what it is as a whole', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      for (const long of around(text)) expect(parsed(long)).toEqual(JSON.parse(long))
    }),
    { numRuns: 200 },
  )
})

test('a long string in slices is what it is as a whole, wherever it is cut', () => {
  const parts = ['x', 'é', '😀', '\\n', '\\\\', '\\"', '\\u20ac', '\\ud83d\\ude00', '\\']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { minLength: 1 }), fc.nat(9), (some, shift) => {
      const content = 'x'.repeat(shift) + some.join('').repeat(Math.ceil(40_000 / some.length))
      for (const text of [`{"a":"${content}" , "b":1}`, `["${content}"]`, `"${content}"`]) {
        expect(verdictOf(() => parsed(text))).toEqual(verdictOf(() => JSON.parse(text)))
      }
    }),
    { numRuns: 60 },
  )
})

test('keys have the order and the values that they have as a whole', () => {
  const text = `{"b":1,"7":1,"a":{"x":"${LONG}"},"b":[2],"__proto__":{"y":"${LONG}"},"3":1,"a":2}`
  const value = Object(parsed(text))

  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
  expect(Object.hasOwn(value, '__proto__')).toBe(true)
  expect(value.y).toBeUndefined()
})

describe('a text that is broken somewhere', () => {
  test('is no JSON in slices if it is none as a whole', () => {
    const breaks = fc.record({
      text: fc.json({ maxDepth: 3 }),
      at: fc.nat(),
      put: fc.constantFrom('', ',', ':', '"', '{', '}', '[', ']', '\\', 'x', ' ', '\u0001', '0'),
    })
    fc.assert(
      fc.property(breaks, ({ text, at, put }) => {
        for (const long of around(text)) {
          // Near the ends, where there is something else than one long string.
          const place = at % 2 === 0 ? at % 60 : long.length - (at % 60)
          const broken = `${long.slice(0, place)}${put}${long.slice(place + 1)}`
          expect(verdictOf(() => parsed(broken))).toEqual(verdictOf(() => JSON.parse(broken)))
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    `["${LONG}",]`,
    `[,"${LONG}"]`,
    `["${LONG}",,1]`,
    `{"a":["${LONG}"],}`,
    `{,"a":["${LONG}"]}`,
    `{"a":["${LONG}"] "b":1}`,
    `{"a":["${LONG}"}]`,
    `{"a" ["${LONG}"]}`,
    `{["${LONG}"]}`,
    `["${LONG}"`,
    `["${LONG}"]]`,
    `["${LONG}"] 1`,
    `{"a":1,"${LONG}"}`,
  ])('is none: case %#', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(() => parsed(text)).toThrow(jsonProblemIn(text))
  })
})

test('white space around and inside is allowed, however much there is', () => {
  const space = ' \n\t\r'.repeat(10_000)

  expect(parsed(`${space}{${space}}${space}`)).toEqual({})
  expect(parsed(`[${space}[${space}]${space},${space}1${space}]`)).toEqual([[], 1])
})

test.each([`[${'{},'.repeat(100_000)}{}]`, `{"a":"${'\\n'.repeat(2_000_000)}"}`])(
  'there are pauses: case %#',
  (text) => {
    const steps = parseInSteps(text)
    let pauses = 0
    while (!steps.next().done) pauses++

    expect(pauses).toBeGreaterThan(100)
  },
)

describe('a body', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":1`).join()

  test.each([
    ['maps and lists', `[${'{},'.repeat(100_000)}{}]`],
    ['values', `[${'1,'.repeat(250_001)}1]`],
    ['fields in one map', `{${fields(50_001)}}`],
  ])('with too many %s is refused', (what, text) => {
    expect(() => atOnce(parseBodyInSteps(text))).toThrow(
      new RegExp(`^Request entity too large: more than \\d+ ${what}$`),
    )
    expect(() => parsed(text)).not.toThrow()
  })

  test('with as many as may be is taken', () => {
    expect(() => atOnce(parseBodyInSteps(`{${fields(50_000)}}`))).not.toThrow()
    expect(() => atOnce(parseBodyInSteps(`[${'{},'.repeat(99_998)}{}]`))).not.toThrow()
  })
})
