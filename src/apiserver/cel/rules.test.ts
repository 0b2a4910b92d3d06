import { describe, expect, test } from 'vitest'
import type { Schema, ValidationRule } from '#apiserver/schema.ts'
import { atOnce } from '#apiserver/steps.ts'
import { compileRules } from './rules.ts'

const ROOT = 'spec.validation.openAPIV3Schema'
const integer: Schema = { type: 'integer' }
const short: Schema = { type: 'string', maxLength: 20 }

const withRules = (schema: Schema, ...rules: ValidationRule[]): Schema => ({
  ...schema,
  'x-kubernetes-validations': rules,
})

const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
})

const ofSpec = (spec: Schema): Schema => object({ spec })

function refusals(spec: Schema, value: unknown, old?: unknown): string[] {
  const check = old === undefined ? {} : { old: { spec: old } }
  const rules = atOnce(compileRules(ofSpec(spec)))
  const errors = atOnce(rules.validate({ value: { spec: value }, ...check }))
  return errors.map(({ field, message }) => `${field}: ${message}`)
}

const problems = (schema: Schema): string[] =>
  atOnce(atOnce(compileRules(schema)).problems(ROOT)).map(
    ({ field, message }) => `${field.replace(`${ROOT}.`, '')}: ${message}`,
  )

describe('an object', () => {
  const spec = withRules(
    object({ a: integer, s: withRules(short, { rule: 'self != "bad"' }) }),
    { rule: 'self.a > 0' },
    { rule: 'self.a < 9', message: ' must be small ', fieldPath: '.a' },
    { rule: 'self.a != 3', messageExpression: '"not " + string(self.a)' },
    { rule: 'self.a != 4', reason: 'FieldValueForbidden', message: 'never 4' },
    { rule: 'self.a != 5', reason: 'FieldValueDuplicate' },
    { rule: 'self.a != 6', reason: 'FieldValueRequired', message: 'another' },
    { rule: 'self.a != 7', messageExpression: '" "', message: 'fallback' },
    { rule: '10 / (self.a - 8) != 99' },
  )

  test.each([
    [{ a: 1, s: 'good' }, []],
    [{ a: 0 }, ['spec: Invalid value: failed rule: self.a > 0']],
    [{ a: 9 }, ['spec.a: Invalid value: must be small']],
    [{ a: 3 }, ['spec: Invalid value: not 3']],
    [{ a: 4 }, ['spec: Forbidden: never 4']],
    [{ a: 5 }, ['spec: Duplicate value']],
    [{ a: 6 }, ['spec: Required value: another']],
    [{ a: 7 }, ['spec: Invalid value: fallback']],
    [
      { a: 8 },
      ['spec: Invalid value: "object": division by zero evaluating rule: 10 / (self.a - 8) != 99'],
    ],
    [{ a: 1, s: 'bad' }, ['spec.s: Invalid value: "bad": failed rule: self != "bad"']],
  ])('%j is told what it does not keep', (value, expected) => {
    expect(refusals(spec, value)).toEqual(expected)
  })

  test('that does not have the field with the rule is not asked', () => {
    expect(refusals(object({ a: withRules(integer, { rule: 'false' }) }), {})).toEqual([])
  })

  test('has its rules checked in lists and maps', () => {
    const item = withRules(integer, { rule: 'self > 1' })
    const both = object({
      l: { type: 'array', items: item },
      m: { type: 'object', additionalProperties: item },
    })

    expect(refusals(both, { l: [2, 1], m: { ok: 2, 'a.b': 0 } })).toEqual([
      'spec.l[1]: Invalid value: 1: failed rule: self > 1',
      'spec.m[a.b]: Invalid value: 0: failed rule: self > 1',
    ])
  })

  test('is named <nil> as a whole, and has a name and a kind', () => {
    const schema = withRules(object({ spec: object({}) }), {
      rule: 'self.metadata.name == "x" && self.kind == "Foo"',
    })
    const value = { kind: 'Foo', metadata: { name: 'y' } }

    const errors = atOnce(atOnce(compileRules(schema)).validate({ value }))

    expect(errors).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: '<nil>',
        message: 'Invalid value: failed rule: self.metadata.name == "x" && self.kind == "Foo"',
      },
    ])
  })
})

describe('a transition rule', () => {
  const grows = object({ a: withRules(integer, { rule: 'self >= oldSelf' }) })

  test('is not asked of what is new', () => {
    expect(refusals(grows, { a: 1 })).toEqual([])
    expect(refusals(grows, { a: 1 }, {})).toEqual([])
  })

  test('is asked of what is changed', () => {
    expect(refusals(grows, { a: 1 }, { a: 2 })).toHaveLength(1)
    expect(refusals(grows, { a: 2 }, { a: 2 })).toEqual([])
  })

  test('finds items of lists by their keys', () => {
    const list: Schema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: withRules(object({ k: short, v: integer }), { rule: 'self.v >= oldSelf.v' }),
    }
    const old = {
      l: [
        { k: 'a', v: 1 },
        { k: 'b', v: 5 },
      ],
    }

    const found = refusals(
      object({ l: list }),
      {
        l: [
          { k: 'b', v: 4 },
          { k: 'n', v: 0 },
        ],
      },
      old,
    )

    expect(found).toEqual(['spec.l[0]: Invalid value: failed rule: self.v >= oldSelf.v'])
  })

  test('merges lists of type map by their keys', () => {
    const list: Schema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: object({ k: short, v: integer }),
    }
    const spec = object({ l: withRules(list, { rule: 'oldSelf + self == self' }) })
    const old = { l: [{ k: 'a', v: 1 }] }

    expect(
      refusals(
        spec,
        {
          l: [
            { k: 'b', v: 2 },
            { k: 'a', v: 3 },
          ],
        },
        old,
      ),
    ).toEqual([])
    expect(refusals(spec, { l: [{ k: 'b', v: 2 }] }, old)).toHaveLength(1)
  })

  test('with optionalOldSelf is asked of what is new too', () => {
    const rule = { rule: 'oldSelf.hasValue() || self == 1', optionalOldSelf: true }
    const spec = object({ a: withRules(integer, rule) })

    expect(refusals(spec, { a: 2 })).toHaveLength(1)
    expect(refusals(spec, { a: 2 }, { a: 3 })).toEqual([])
  })
})

describe('a value that is not changed', () => {
  const spec = object({ a: withRules(integer, { rule: 'self > 5' }), b: short })

  test('is warned about, not refused', () => {
    const warnings: string[] = []

    const check = atOnce(compileRules(ofSpec(spec))).validate({
      value: { spec: { a: 1, b: 'new' } },
      old: { spec: { a: 1, b: 'old' } },
      warn: (text) => {
        warnings.push(text)
      },
    })
    const errors = atOnce(check)

    expect(errors).toEqual([])
    expect(warnings).toEqual(['spec.a: Invalid value: 1: failed rule: self > 5'])
  })

  test('is refused for a rule about a change', () => {
    const rule = { rule: 'self > oldSelf' }
    expect(refusals(object({ a: withRules(integer, rule) }), { a: 1 }, { a: 1 })).toHaveLength(1)
  })

  test('is refused if it is in a list whose items cannot be told apart and that was changed', () => {
    const list: Schema = { type: 'array', items: withRules(integer, { rule: 'self > 5' }) }

    expect(refusals(object({ l: list }), { l: [1, 9] }, { l: [1] })).toHaveLength(1)
    expect(refusals(object({ l: list }), { l: [1, 9] }, { l: [1, 8] })).toHaveLength(1)
    expect(refusals(object({ l: list }), { l: [1] }, { l: [1] })).toEqual([])
  })
})

describe('a CRD', () => {
  test('is refused for a rule that cannot be read, with the place in the rule', () => {
    expect(problems(ofSpec(withRules(object({ a: integer }), { rule: 'self.b > 0' })))).toEqual([
      [
        'properties[spec].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.b \\u003e 0","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field \'b\'',
        ' | self.b > 0',
        ' | ....^',
      ].join('\n'),
    ])
  })

  test.each<[ValidationRule, string]>([
    [{ rule: 'self.a' }, 'rule: Invalid value: {…}: cel expression must evaluate to a bool'],
    [{ rule: ' ' }, 'rule: Required value: rule is not specified'],
    [
      { rule: 'self.a > 0', messageExpression: 'self.a' },
      'messageExpression: Invalid value: {…}: messageExpression must evaluate to a string',
    ],
    [
      { rule: 'int("x") == self.a' },
      "rule: Invalid value: {…}: program instantiation failed: type conversion error from 'string' to 'int'",
    ],
    [
      { rule: 'self.a > 0', message: 'a\nb' },
      'message: Invalid value: "a\\nb": must not contain line breaks',
    ],
    [
      { rule: 'self.a >\n0' },
      'message: Required value: message must be specified if rule contains line breaks',
    ],
    [
      { rule: 'self.a > 0', fieldPath: '.zz' },
      'fieldPath: Invalid value: ".zz": must be a valid path',
    ],
    [
      { rule: 'self.a > 0', reason: 'Odd' },
      'reason: Unsupported value: "Odd": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ],
    [
      { rule: 'self.a > 0', optionalOldSelf: true },
      'optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
    ],
  ])('with %j is refused', (rule, expected) => {
    const found = problems(ofSpec(withRules(object({ a: integer }), rule)))

    expect(found.map((one) => one.replace(/\{"Rule".*null\}|\{"Rule".*true\}/, '{…}'))).toEqual([
      `properties[spec].x-kubernetes-validations[0].${expected}`,
    ])
  })

  test('is refused for a rule about changes in a list whose items cannot be told apart', () => {
    const list: Schema = {
      type: 'array',
      maxItems: 5,
      items: withRules(short, { rule: 'self == oldSelf' }),
    }

    expect(problems(ofSpec(object({ l: list })))).toEqual([
      `properties[spec].properties[l].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${ROOT}.properties[spec].properties[l]`,
    ])
  })

  test('is refused for rules that could cost too much, one alone or all together', () => {
    const nested = withRules(
      { type: 'array', items: { type: 'string' } },
      { rule: 'self.all(x, self.all(y, x == y))' },
    )

    const found = problems(ofSpec(object({ l: nested })))

    expect(found).toHaveLength(3)
    expect(found[0]).toMatch(
      /Forbidden: estimated rule cost exceeds budget by factor of more than 100x/,
    )
    expect(found[1]).toMatch(/contributed to estimated rule cost total exceeding cost limit/)
    expect(found[2]).toMatch(/estimated rule cost total for entire OpenAPIv3 schema exceeds budget/)
  })

  test.each([
    [1_000, []],
    [300_000, ['3.1x']],
    [100_000, ['1.040000x']],
  ])('with a list of at most %d texts is judged by that', (maxItems, factors) => {
    const list = withRules(
      { type: 'array', maxItems, items: { type: 'string', maxLength: 250 } },
      { rule: 'self.all(x, x.contains("abcdefghij"))' },
    )

    const found = problems(ofSpec(object({ l: list })))

    expect(found.map((one) => /factor of (\S+)/.exec(one)?.[1])).toEqual(factors)
  })
})

test('an object that would take too long is refused at once', () => {
  const list = withRules(
    { type: 'array', items: object({ a: short }) },
    { rule: 'self.all(x, self.filter(y, true) == self)' },
    { rule: 'false' },
  )
  const items = Array.from({ length: 1000 }, (_, i) => ({ a: `item ${i}` }))

  expect(refusals(object({ l: list }), { l: items })).toEqual([
    'spec.l: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run',
  ])
})

test('a rule that costs more than a rule may is given up', () => {
  const list = withRules(
    { type: 'array', items: integer },
    { rule: 'self.all(x, self.all(y, [x, y].sort().sort().sort().size() > 0))', message: 'm' },
  )
  const items = Array.from({ length: 300 }, (_, i) => i)

  expect(refusals(object({ l: list }), { l: items })).toEqual([
    'spec.l: Invalid value: "array": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run due to call cost exceeds limit for rule: m',
  ])
})

test('a schema without rules has nothing to say', () => {
  const rules = atOnce(compileRules(object({ a: integer })))

  expect(rules.hasRules).toBe(false)
  expect(atOnce(rules.problems(ROOT))).toEqual([])
  expect(atOnce(rules.validate({ value: { a: 'wrong' } }))).toEqual([])
})
