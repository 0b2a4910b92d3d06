import { describe, expect, test } from 'vitest'
import { check } from './checker.ts'
import { functionsOf } from './declarations.ts'
import { type Environment, STANDARD_TYPES } from './environment.ts'
import { OPTIONAL_MACROS, STANDARD_MACROS } from './macros.ts'
import { OPTIONAL_SIGNATURES } from './optional-signatures.ts'
import { parse } from './parser.ts'
import { describeIssues } from './source.ts'
import { MIXED_COMPARISON_SIGNATURES, STANDARD_SIGNATURES } from './standard-signatures.ts'
import { DYN, formatType, INT, STRING, structOf } from './types.ts'

const PLAIN: Environment = {
  variables: new Map([
    ['n', INT],
    ['any', DYN],
    ['o', structOf('Thing', new Map([['a-b', STRING]]))],
  ]),
  functions: functionsOf([STANDARD_SIGNATURES]),
  types: STANDARD_TYPES,
  macros: STANDARD_MACROS,
  hasOptionals: false,
  hasQuotedFields: false,
  mostCharacters: 20_000,
}

/** The type of an expression, or what is said about it. */
function judged(text: string, own: Partial<Environment> = {}): string {
  const environment = { ...PLAIN, ...own }
  const parsed = parse(text, environment)
  if (parsed.issues !== undefined) return describeIssues(text, parsed.issues)
  const { checked, issues } = check(parsed.expr, environment)
  return issues === undefined
    ? formatType(checked.typeOf(parsed.expr))
    : describeIssues(text, issues)
}

const firstLine = (text: string): string | undefined => text.split('\n')[0]

describe('an environment decides', () => {
  const optionals = {
    functions: functionsOf([STANDARD_SIGNATURES, OPTIONAL_SIGNATURES]),
    macros: { ...STANDARD_MACROS, ...OPTIONAL_MACROS },
    hasOptionals: true,
  }

  test.each([
    ['any.?a', "ERROR: <input>:1:4: unsupported syntax '.?'", 'optional_type(dyn)'],
    ['[any][?0]', "ERROR: <input>:1:6: unsupported syntax '[?'", 'optional_type(dyn)'],
    ['[?any]', "ERROR: <input>:1:2: unsupported syntax '?'", 'list(dyn)'],
    ['{?1: any}', "ERROR: <input>:1:2: unsupported syntax '?'", 'map(int, dyn)'],
  ])('whether %s can be written', (text, refused, type) => {
    expect(firstLine(judged(text))).toBe(refused)
    expect(judged(text, optionals)).toBe(type)
  })

  test('which macros there are', () => {
    const text = 'optional.of(n).optMap(x, x + 1)'
    expect(judged(text)).toContain("undeclared reference to 'optMap'")
    expect(judged(text, optionals)).toBe('optional_type(int)')
  })

  test('whether fields can be quoted', () => {
    expect(firstLine(judged('o.`a-b`'))).toBe("ERROR: <input>:1:3: unsupported syntax: '`'")
    expect(judged('o.`a-b`', { hasQuotedFields: true })).toBe('string')
  })

  test('whether numbers of different types can be compared', () => {
    const functions = functionsOf([STANDARD_SIGNATURES, MIXED_COMPARISON_SIGNATURES])
    expect(judged('n < 1.5')).toContain("no matching overload for '_<_' applied to '(int, double)'")
    expect(judged('n < 1.5', { functions })).toBe('bool')
  })

  test('how long an expression may be', () => {
    expect(judged('n == n', { mostCharacters: 5 })).toBe(
      'ERROR: <input>:-1:0: expression code point size exceeds limit: size: 6, limit 5',
    )
  })
})

test('types that do not go together teach nothing about what is unknown of them', () => {
  expect(judged('[[]].map(x, size([{x: 1}, {[1]: "a"}]) > 0 ? x : x)')).toBe('list(list(dyn))')
  expect(judged('[[]].map(x, size([{x: 1}, {[1]: 2}]) > 0 ? x : x)')).toBe('list(list(int))')
})

describe('an expression is bounded', () => {
  const TOO_DEEP = 'ERROR: <input>:-1:0: max recursion depth exceeded'

  test.each([
    ['operators', (count: number) => `1${' + 1'.repeat(count)}`, 'int'],
    ['comparisons', (count: number) => `true${' == true'.repeat(count)}`, 'bool'],
    ['fields', (count: number) => `any${'.a'.repeat(count)}`, 'dyn'],
    ['elements', (count: number) => `any${'[0]'.repeat(count)}`, 'dyn'],
    [
      'parentheses with operators',
      (count: number) => `${'('.repeat(200)}1${')'.repeat(200)}${' + 1'.repeat(count)}`,
      'int',
    ],
  ])('in %s one in the other', (_, text, type) => {
    expect(judged(text(250))).toBe(type)
    expect(judged(text(251))).toBe(TOO_DEEP)
    expect(judged(text(2_000))).toBe(TOO_DEEP)
  })

  test('but not in what stands side by side', () => {
    expect(judged(`true${' && 1 == 1'.repeat(1_500)}`)).toBe('bool')
  })

  test('in the size of its types', () => {
    expect(judged(`[1]${'.map(x, {x: x})'.repeat(100)}`)).toBe(
      'ERROR: <input>:-1:0: types of the expression are too large',
    )
  })
})

describe('issues are shown', () => {
  test('up to a hundred, in the order of the text', () => {
    const lines = judged(`b${' + a'.repeat(120)}`).split('\n')
    expect(lines).toHaveLength(301)
    expect(lines[0]).toBe("ERROR: <input>:1:1: undeclared reference to 'b' (in container '')")
    expect(lines.at(-1)).toBe('21 more errors were truncated')
  })

  test('with their line, tabs as spaces, unless it is too long', () => {
    expect(judged('\ta')).toContain('\n |  a\n | .^')
    expect(judged(`a //${' '.repeat(16_380)}`)).toContain('\n | a //')
    expect(judged(`a //${' '.repeat(16_381)}`)).toBe(
      "ERROR: <input>:1:1: undeclared reference to 'a' (in container '')",
    )
  })

  test('of a text that ends too early as if the rest were there', () => {
    expect(judged('has(n')).toBe(
      [
        'ERROR: <input>:1:5: invalid argument to has() macro\n | has(n\n | ....^',
        "ERROR: <input>:1:6: Syntax error: missing ')' at '<EOF>'\n | has(n\n | .....^",
      ].join('\n'),
    )
    expect(judged('f(1, g(n').match(/ERROR/g)).toHaveLength(1)
  })
})
