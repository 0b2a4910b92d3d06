import { describe, expect, it } from 'vitest'
import { goPattern } from './go-pattern.ts'

describe('a pattern of Go', () => {
  it.each<[pattern: string, matches: string[], others: string[]]>([
    ['^a+$', ['a', 'aaa'], ['', 'ab', 'a\n']],
    ['(?i)^aBc$', ['ABC', 'abc'], ['abcd']],
    ['(?i:a)b', ['Ab'], ['AB']],
    ['(?i)^[k-m]$', ['K', 'l'], ['n']],
    ['^[[:alpha:]]+$', ['abC'], ['a1']],
    ['^[[:^digit:]]$', ['a', 'é'], ['1']],
    ['^[^[:space:]]$', ['a'], [' ']],
    ['\\Aa\\z', ['a'], ['a\n']],
    ['^a.b$', ['a\rb', 'axb'], ['a\nb']],
    ['^(?s:.)$', ['\n'], []],
    ['(?m)^b$', ['a\nb\nc'], ['ab']],
    ['^(?P<x>a|b)+$', ['ab'], ['c']],
    ['^(?<x>a)$', ['a'], ['b']],
    ['^\\pL+$', ['é'], ['1']],
    ['^\\p{Greek}$', ['α'], ['a']],
    ['^\\P{L}$', ['1'], ['a']],
    ['^\\s$', [' ', '\f'], ['\u00a0', '\v']],
    ['^[\\S]$', ['\u00a0', 'a'], [' ']],
    ['^\\x41\\x{42}\\103$', ['ABC'], []],
    ['^\\Q.*\\E$', ['.*'], ['a']],
    ['^a{,2}$', ['a{,2}'], ['aa']],
    ['^a{2,3}?$', ['aa'], ['a']],
    ['^a{2,2}$', ['aa'], ['a', 'aaa']],
    ['^[]a]$', [']', 'a'], ['b']],
    ['^[\\w.-]+$', ['a.b-c'], ['a b']],
    ['\\bfoo\\b', ['a foo b'], ['afoo']],
    ['^$', [''], ['a']],
    ['^.$', ['😀'], ['ab']],
  ])('%s', (pattern, matches, others) => {
    const compiled = goPattern(pattern)

    expect(matches.filter((text) => !compiled.test(text))).toEqual([])
    expect(others.filter((text) => compiled.test(text))).toEqual([])
  })

  it.each([
    ['[a-', 'missing closing ]: `[a-`'],
    ['(a', 'missing closing ): `(a`'],
    ['a)', 'unexpected ): `a)`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<=a)', 'invalid named capture: `(?<=a)`'],
    ['(?P<n', 'invalid named capture: `(?P<n`'],
    ['+', 'missing argument to repetition operator: `+`'],
    ['a|*', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['x{2}{3}', 'invalid nested repetition operator: `{2}{3}`'],
    ['a{2000}', 'invalid repeat count: `{2000}`'],
    ['a{3,2}', 'invalid repeat count: `{3,2}`'],
    ['[b-a]', 'invalid character class range: `b-a`'],
    ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
    ['\\p{Foo}', 'invalid character class range: `\\p{Foo}`'],
    ['\\1', 'invalid escape sequence: `\\1`'],
    ['\\Z', 'invalid escape sequence: `\\Z`'],
    ['\\', 'trailing backslash at end of expression: ``'],
  ])('%s is refused in the words of Go', (pattern, problem) => {
    expect(() => goPattern(pattern)).toThrow(`error parsing regexp: ${problem}`)
  })
})
