import { describe, expect, test } from 'vitest'
import { parseYamlBodyInSteps } from './parse-yaml.ts'
import { atOnce } from './steps.ts'

const read = (text: string) => atOnce(parseYamlBodyInSteps(text))
const valueIn = (text: string): unknown => read(text).value

const refusal = (text: string): string => {
  try {
    read(text)
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return 'taken'
}

describe('YAML is read as Kubernetes reads it', () => {
  test.each([
    [
      'a: 1\nb: [x, {y1: z}]\nc: |\n  one\n  two\n',
      { a: 1, b: ['x', { y1: 'z' }], c: 'one\ntwo\n' },
    ],
    ['{a: b, c: [d]}', { a: 'b', c: ['d'] }],
    ['{"a": 1}', { a: 1 }],
    ['- 1\n- null\n- "s"\n', [1, null, 's']],
    ['', null],
    ['# nothing\n', null],
    ['a: b\n---\nwhat: [', { a: 'b' }],
    ['[yes, On, n, OFF, true, "yes", yEs]', [true, true, false, false, true, 'yes', 'yEs']],
    ['[0x1F, 010, 0o17, 1_000, 1e3, .5, 1e400]', [31, 8, 15, 1000, 1000, 0.5, '1e400']],
    ['[2001-01-01, !!str 5, !!int "5", !x 5]', ['2001-01-01', '5', 5, '5']],
    ['!!binary aGVsbG8=', 'hello'],
    [
      '{1: a, yes: b, 1.5: c, 123456789.123: d, 1e-7: e}',
      { 1: 'a', true: 'b', 1.5: 'c', '1.2345679e+08': 'd', '1e-07': 'e' },
    ],
    ['{__proto__: {b: 1}}', JSON.parse('{"__proto__": {"b": 1}}')],
  ])('%j', (text, value) => {
    expect(valueIn(text)).toEqual(value)
  })

  test('what is merged is overruled by what comes later, and of several the first counts', () => {
    const base = 'a: &a {x: 1}\nb: &b {x: 2, z: 3}\n'

    expect(valueIn(`${base}c:\n  <<: [*a, *b]\n  q: 4\n`)).toMatchObject({
      c: { x: 1, z: 3, q: 4 },
    })
    expect(valueIn(`${base}c:\n  x: 9\n  <<: *b\n`)).toMatchObject({ c: { x: 2, z: 3 } })
    expect(valueIn(`${base}c:\n  "<<": *b\n`)).toMatchObject({ c: { '<<': { x: 2 } } })
  })

  test('of a key that is there twice the last counts, and each is told of with its line', () => {
    expect(read('a: 1\nb:\n  c: 1\n  c: 2\na: 2\nyes: 1\ny: 2\n')).toEqual({
      value: { a: 2, b: { c: 2 }, true: 2 },
      repeated: [
        'line 4: key "c" already set in map',
        'line 5: key "a" already set in map',
        'line 7: key true already set in map',
      ],
    })
    expect(read('{"a": 1, "a": 2}').repeated).toEqual(['line 1: key "a" already set in map'])
    expect(read('a: 1\n'.repeat(5_000)).repeated).toHaveLength(100)
  })
})

describe('what cannot be read is refused in the words of Kubernetes', () => {
  test.each([
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['a:\n  b: c: d', 'yaml: line 2: mapping values are not allowed in this context'],
    ['a:\n  - b\n - c', 'yaml: line 2: did not find expected key'],
    ['a: [1\n', "yaml: line 1: did not find expected ',' or ']'"],
    ['a: *none\n', "yaml: unknown anchor 'none' referenced"],
    ['a: &a [*a]', "yaml: anchor 'a' value contains itself"],
    ['a: {<<: 5}', 'yaml: map merge requires map or sequence of maps as the value'],
    ['a: .inf', 'json: unsupported value: +Inf'],
    ['a: !!int b', 'yaml: cannot decode !!str `b` as a !!int'],
    ['!!binary x', 'yaml: !!binary value contains invalid base64 data'],
    ['{[a]: b}', 'yaml: invalid map key'],
    ['{~: b}', 'unsupported map key of type: %!s(<nil>), key: <nil>'],
    ['a: \x07', 'yaml: control characters are not allowed'],
  ])('%j', (text, why) => {
    expect(refusal(text)).toBe(why)
  })
})

describe('there may be as much in YAML as in JSON', () => {
  const TOO_LARGE = 'Request entity too large: '

  test('which is 3 MiB', () => {
    const line = `a: ${'x'.repeat(1021)}\n`
    expect(refusal(`list:\n${`  - ${line}`.repeat(2_900)}`)).toBe('taken')
    expect(refusal(line.repeat(3_100))).toContain(TOO_LARGE)
  })

  test('100,000 maps and lists, 250,000 values, 50,000 fields, also by aliases', () => {
    expect(refusal(`[${'{},'.repeat(99_000)}]`)).toBe('taken')
    expect(refusal(`[${'{},'.repeat(101_000)}]`)).toContain('more than 100000 maps and lists')
    expect(refusal(`[${'a,'.repeat(249_000)}]`)).toBe('taken')
    expect(refusal(`[${'a,'.repeat(251_000)}]`)).toContain('more than 250000 values')
    const keys = Array.from({ length: 51_000 }, (_, at) => `k${at}: v\n`).join('')
    expect(refusal(keys)).toContain('more than 50000 fields in one map')
    const laughs = Array.from(
      { length: 20 },
      (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`,
    )
    expect(refusal(['a0: &a0 [x, x]', ...laughs].join('\n'))).toContain(TOO_LARGE)
  })

  test('1,000 levels and 500,000 lines', () => {
    expect(refusal('['.repeat(1_000) + ']'.repeat(1_000))).toBe('taken')
    expect(refusal('['.repeat(1_001) + ']'.repeat(1_001))).toContain('exceeded max depth of 1000')
    expect(refusal('- '.repeat(1_000_000))).toContain('exceeded max depth of 1000')
    expect(refusal(`${'- '.repeat(999)}a`)).toBe('taken')
    expect(refusal('#\n'.repeat(499_999))).toBe('taken')
    expect(refusal('#\n'.repeat(500_001))).toContain('more than 500000 lines')
  })
})

test('long work is done in many steps', () => {
  for (const text of [
    `[${'a,'.repeat(20_000)}]`,
    'a: b\n'.repeat(20_000),
    `a: |\n${'  b\n'.repeat(20_000)}`,
    `a: "${'\\n'.repeat(20_000)}"`,
    `a: b\n${'  c\n'.repeat(20_000)}`,
  ]) {
    const steps = parseYamlBodyInSteps(text)
    let pauses = 0
    while (!steps.next().done) pauses++
    expect(pauses).toBeGreaterThan(100)
  }
})
