import { describe, expect, test } from 'vitest'
import { expressionProblem } from './expression.ts'

const problem = (text: string): string | undefined => expressionProblem(text, 'disk')
/** What is wrong, without the line and the mark. */
const told = (text: string): string[] =>
  (problem(text) ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' | '))
    .map((line) => line.replace(/^ERROR: <input>:/, ''))

describe('an expression is taken', () => {
  test.each([
    'system_disk',
    'disk.size > 100u * GB && !disk.rotational',
    "glob('sd[a-z]', disk.dev_path)",
    '\'a\' in disk.symlinks || disk.transport == "nvme"',
    "disk.symlinks.exists(s, s.startsWith('/dev'))",
    "disk.symlinks.filter(s, s != '').map(s, s.size()) == [1, 2]",
    "disk.symlinks.map(s, s == 'a', 1).size() == 1",
    'has(disk.model)',
    'disk == null',
    'null == disk',
    "[1, 'a'][0] == dyn(1)",
    "{'a': 1,}.a == -1",
    '[1, 2,] == []',
    '{} == {1: 2}',
    'disk.size in [1u] ? true : false',
    'type(disk.model) == string',
    "duration('1h').getHours() == 1 && timestamp('a') - timestamp('b') > duration('1s')",
    "r'\\d' == '''a\nb''' && b'a' == b\"\\x00\"",
    '1.5e3 > .5 && 0x1F == 31 // comment',
    '.disk.size > 1u',
    '- -1 < 2 && !!true',
    'dyn(disk).a.b[0].exists(x, x.c)',
    'type([1, [2]]) == list',
  ])('%s', (text) => {
    expect(problem(text)).toBeUndefined()
  })
})

describe('an expression is refused for its types', () => {
  test.each([
    ['disk.foo.bar == 1', "1:5: undefined field 'foo'"],
    ['disk.model.foo', "1:11: type 'string' does not support field selection"],
    ['volume.name == 1', "1:1: undeclared reference to 'volume' (in container '')"],
    ['foo(1)', "1:4: undeclared reference to 'foo' (in container '')"],
    ['disk.size > 1', "1:11: found no matching overload for '_>_' applied to '(uint, int)'"],
    [
      'disk.model.contains(1)',
      "1:20: found no matching overload for 'contains' applied to 'string.(int)'",
    ],
    [
      "disk.symlinks['a'] == 'a'",
      "1:14: found no matching overload for '_[_]' applied to '(list(string), string)'",
    ],
    [
      "true ? true : 'a'",
      "1:6: found no matching overload for '_?_:_' applied to '(bool, bool, string)'",
    ],
    ['-disk.size > 1u', "1:1: found no matching overload for '-_' applied to '(uint)'"],
    ['disk.model && true', "1:5: expected type 'bool' but found 'string'"],
    ['disk.symlinks.all(x, x)', "1:22: expected type 'bool' but found 'string'"],
    [
      'disk.model.exists(x, true)',
      "1:5: expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['has(disk.foo)', "1:4: undefined field 'foo'"],
    [
      'size({1: [2]}, 3)',
      "1:5: found no matching overload for 'size' applied to '(map(int, list(int)), int)'",
    ],
  ])('%s', (text, message) => {
    expect(told(text)).toEqual([message])
  })

  test.each([
    ['disk.transport', 'string'],
    ['dyn(1)', 'dyn'],
    ['GB', 'uint'],
    ["duration('1s')", 'google.protobuf.Duration'],
    ["timestamp('a')", 'google.protobuf.Timestamp'],
    ['disk', 'talos.resource.definitions.block.DiskSpec'],
    ['disk.symlinks', 'list(string)'],
  ])('%s comes out as something else', (text, type) => {
    expect(problem(text)).toBe(`expression output type is ${type}, expected bool`)
  })

  test('once for each thing that is wrong', () => {
    expect(told('a.b == c.d && e.exists(x, x)')).toEqual(
      [1, 8, 15].map((at, i) => `1:${at}: undeclared reference to '${'ace'[i]}' (in container '')`),
    )
  })
})

describe('an expression is refused for its form', () => {
  const EXPECTED =
    "expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
  test.each([
    ['disk.size >', [`1:12: Syntax error: mismatched input '<EOF>' ${EXPECTED}`]],
    ['|| true', [`1:1: Syntax error: extraneous input '||' ${EXPECTED}`]],
    ['true )', ["1:6: Syntax error: extraneous input ')' expecting <EOF>"]],
    ['1 2 3', ["1:3: Syntax error: mismatched input '2' expecting <EOF>"]],
    ['(true', ["1:6: Syntax error: missing ')' at '<EOF>'"]],
    ['true ? 1', ["1:9: Syntax error: mismatched input '<EOF>' expecting ':'"]],
    ['disk.', ["1:6: Syntax error: no viable alternative at input '.'"]],
    ['disk.true', ["1:6: Syntax error: no viable alternative at input '.true'"]],
    [
      'true & 1',
      [
        "1:6: Syntax error: token recognition error at: '& '",
        "1:8: Syntax error: extraneous input '1' expecting <EOF>",
      ],
    ],
    [
      '"a\tb',
      [
        "1:1: Syntax error: token recognition error at: '\"a\\tb'",
        `1:5: Syntax error: mismatched input '<EOF>' ${EXPECTED}`,
      ],
    ],
    ['if == 1', ['1:1: reserved identifier: if']],
    ['99999999999999999999 == 1', ['1:1: invalid int literal']],
    ['has(disk)', ['1:5: invalid argument to has() macro']],
    ['disk.symlinks.all(x + 1, true)', ['1:21: argument must be a simple name']],
    ['disk.?model == 1', ["1:5: unsupported syntax '.?'"]],
    ['disk.symlinks[?0] == 1', ["1:14: unsupported syntax '[?'"]],
    ['{1}', ["1:3: Syntax error: mismatched input '}' expecting ':'"]],
  ])('%s', (text, messages) => {
    expect(told(text)).toEqual(messages)
  })

  test.each(['(', '[', '!(', 'a('])('%s too many times', (open) => {
    expect(problem(open.repeat(300))).toBe(
      'ERROR: <input>:-1:0: expression recursion limit exceeded: 250',
    )
  })

  test('but not for being deep', () => {
    expect(problem(`${'('.repeat(200)}true${')'.repeat(200)}`)).toBeUndefined()
  })

  test('too long', () => {
    expect(problem(`true${' '.repeat(10_000)}`)).toBe(
      'ERROR: <input>:-1:0: expression code point size exceeds limit: size: 10004, limit 10000',
    )
    expect(problem(`true //${'😀'.repeat(5_001)}`)).toBeUndefined()
  })
})

describe('a message', () => {
  test('shows the line and the place', () => {
    expect(problem('true &&\n  nix')).toBe(
      "ERROR: <input>:2:3: undeclared reference to 'nix' (in container '')\n |   nix\n | ..^",
    )
  })

  test('is as wide as the text', () => {
    expect(problem('"é" == nix')).toContain('\n | .．.....^')
    expect(problem('é')).toContain('\n | ＾')
  })

  test('has an end', () => {
    expect(told(`${'a + '.repeat(150)}b`).at(-1)).toBe('51 more errors were truncated')
  })
})

describe('what an expression knows', () => {
  test('of a volume', () => {
    const text = 'volume.partition_label == "A" && disk.serial == "B"'
    expect(expressionProblem(text, 'volume')).toBeUndefined()
    expect(expressionProblem('system_disk', 'volume')).toContain('undeclared')
  })

  test('of a link', () => {
    const text = 'glob("00:*", mac(link.permanent_addr)) && link.vlan.vid == 3'
    expect(expressionProblem(text, 'link')).toBeUndefined()
    expect(expressionProblem('GB > 1u', 'link')).toContain('undeclared')
  })

  test('of memory that runs out', () => {
    const weighed = 'multiply_qos_vectors(d_qos_memory_full_total, {System: 8.0}) > 3000.0'
    const waited = 'memory_full_avg10 > 75.0 && time_since_trigger > duration("10s")'
    expect(expressionProblem(`${weighed} || ${waited}`, 'oom-trigger')).toBeUndefined()
    expect(expressionProblem('qos_memory_max[System] > 1', 'oom-trigger')).toContain(
      '(double, int)',
    )
  })

  test('of a group that may be ended', () => {
    for (const text of [
      'memory_max.hasValue() ? 0.0 : {Besteffort: 1.0, System: 0.0}[class] * double(memory_current.orValue(0u))',
      'memory_max.optMap(m, double(m)).orValue(0.0)',
      'memory_max.optFlatMap(m, optional.of(double(m))).value()',
      'optional.of({"a": 1.0}).a.value() + {"a": 1.0}.?a.orValue(2.0) + [1.0][?0].value()',
      'path.startsWith("/kube") ? 1.0 : 2.0',
    ]) {
      expect(expressionProblem(text, 'oom-ranking')).toBeUndefined()
    }
    expect(expressionProblem('memory_max', 'oom-ranking')).toBe(
      'expression output type is optional_type(uint), expected double',
    )
  })
})
