import { expect, test } from 'vitest'
import type { Schema } from '#apiserver/schema.ts'
import { atOnce } from '#apiserver/steps.ts'
import { BOOL } from '#base/cel/types.ts'
import { compileExpression } from './expression.ts'
import { schemaType } from './schema-type.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    a: { type: 'integer' },
    s: { type: 'string' },
    l: { type: 'array', items: { type: 'string' } },
    m: { type: 'object', additionalProperties: { type: 'integer' } },
    o: { type: 'object', properties: { x: { type: 'string' } } },
    namespace: { type: 'string' },
  },
}

const STARTS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

/** What is said about an expression: place and message of each issue. */
function issues(text: string): string[] {
  const self = atOnce(schemaType(schema, 'selfType', false))
  if (self === undefined) throw new Error('the schema has no type')
  const compiled = compileExpression(text, { self, hasOptionalOldSelf: false }, BOOL)
  if (!('issues' in compiled)) return []
  return compiled.issues
    .split('\n')
    .filter((line) => line.startsWith('ERROR'))
    .map((line) => line.replace('ERROR: <input>:1:', ''))
}

// As kube-apiserver v1.36.4 says it.
test.each([
  ['self.a >', [`9: Syntax error: mismatched input '<EOF>' expecting ${STARTS}`]],
  ['self.a > > 1', [`10: Syntax error: extraneous input '>' expecting ${STARTS}`]],
  ['self.', ["6: Syntax error: no viable alternative at input '.'"]],
  ['self.a 1', ["8: Syntax error: extraneous input '1' expecting <EOF>"]],
  ['(self.a == 1', ["13: Syntax error: missing ')' at '<EOF>'"]],
  ['[1, 2', ["6: Syntax error: mismatched input '<EOF>' expecting {']', ','}"]],
  ['self.a ? 1', ["11: Syntax error: mismatched input '<EOF>' expecting ':'"]],
  [
    'self.a = 1',
    [
      "8: Syntax error: token recognition error at: '= '",
      "10: Syntax error: extraneous input '1' expecting <EOF>",
    ],
  ],
  ['if == 1', ['1: reserved identifier: if']],
  ['99999999999999999999 == 1', ['1: invalid int literal']],
  ['has(self)', ['5: invalid argument to has() macro']],
  ['self.l.all(1, true)', ['12: argument must be a simple name']],
  ['self.l.all(i, i, true)', ['15: duplicate variable name: i']],
  ['foo == 1', ["1: undeclared reference to 'foo' (in container '')"]],
  ['foo(1)', ["4: undeclared reference to 'foo' (in container '')"]],
  ['self.s.foo()', ["11: undeclared reference to 'foo' (in container '')"]],
  ['self.b == 1', ["5: undefined field 'b'"]],
  ['self.o.y == "a"', ["7: undefined field 'y'"]],
  ['self.a.b == 1', ["7: type 'int' does not support field selection"]],
  ['self.a == "x"', ["8: found no matching overload for '_==_' applied to '(int, string)'"]],
  [
    'self.s.startsWith(1)',
    ["18: found no matching overload for 'startsWith' applied to 'string.(int)'"],
  ],
  ['self["a"] == 1', ["5: found no matching overload for '_[_]' applied to '(selfType, string)'"]],
  [
    'self.l.map(x, x.size()) == "a"',
    ["25: found no matching overload for '_==_' applied to '(list(int), string)'"],
  ],
  ['true && self.a', ["13: expected type 'bool' but found 'int'"]],
  [
    'self.a.all(x, true)',
    [
      "5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
  ],
  ['[1, "a"].size() == 2', ["5: expected type 'int' but found 'string'"]],
  ['{"a": 1, "b": "c"}.size() == 2', ["15: expected type 'int' but found 'string'"]],
  ['self.s.matches("[")', ['16: invalid matches argument']],
  ['duration("1") == duration("1s")', ['10: invalid duration argument']],
  ['timestamp("x") > timestamp(0)', ['11: invalid timestamp argument']],
  [
    '"%d".format(["a"]) == ""',
    ['14: error during formatting: decimal clause can only be used on integers, was given string'],
  ],
  [
    '"%s".format(["a", "b"]) == ""',
    ['12: too many arguments supplied to string.format (expected 1, got 2)'],
  ],
  [
    'cel.bind(x, 1, true)',
    [
      "1: undeclared reference to 'cel' (in container '')",
      "9: undeclared reference to 'bind' (in container '')",
      "10: undeclared reference to 'x' (in container '')",
    ],
  ],
  ['self.namespace == "x" && self.__namespace__ == "x"', []],
  ['self.m.x == 1 && self.?o.?x.orValue("") == ""', []],
  ['self.o == null || self.l.all(i, v, v.size() > i)', []],
])('%s has these issues', (text, expected) => {
  expect(issues(text)).toEqual(expected)
})

test('the place of an issue is shown below its line', () => {
  const self = atOnce(schemaType(schema, 'selfType', false))
  if (self === undefined) throw new Error('the schema has no type')

  const compiled = compileExpression('true &&\n"é" == 1', { self, hasOptionalOldSelf: false }, BOOL)

  expect(compiled).toEqual({
    issues: [
      "ERROR: <input>:2:5: found no matching overload for '_==_' applied to '(string, int)'",
      ' | "é" == 1',
      ' | .．..^',
    ].join('\n'),
  })
})

test('what is nested too deeply is refused', () => {
  expect(issues(`${'('.repeat(300)}true${')'.repeat(300)}`)[0]).toBe(
    'ERROR: <input>:-1:0: expression recursion limit exceeded: 250',
  )
})
