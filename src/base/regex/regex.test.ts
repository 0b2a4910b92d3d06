import { describe, expect, it } from 'vitest'
import { type Regex, regexOf } from './regex.ts'

const free = (): void => undefined

function regex(pattern: string): Regex {
  const found = regexOf(pattern)
  if (typeof found === 'string') throw new Error(found)
  return found
}

function unitsFor(pattern: string, text: string): number {
  let units = 0
  regex(pattern).test(text, (more) => {
    units += more
  })
  return units
}

/** A text in which hardly a piece stands twice. */
function noise(length: number): string {
  let state = 1
  const letters = Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state & 0x1000_0000 ? 'a' : 'b'
  })
  return letters.join('')
}

describe('a pattern of Go', () => {
  it.each<[pattern: string, matches: string[], others: string[]]>([
    ['^a+$', ['a', 'aaa'], ['', 'ab', 'a\n']],
    ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', ['foo-bar'], ['foo-']],
    ['(?i)^aBc$', ['ABC', 'abc'], ['abcd']],
    ['(?i:a)b', ['Ab'], ['AB']],
    ['(?i)^[k-m]$', ['K', 'l', 'K'], ['n']],
    ['(?i)straße', ['STRAßE', 'STRAẞE'], ['STRASSE']],
    ['(?i)^ſ$', ['s', 'S', 'ſ'], ['ß']],
    ['(?i)^i$', ['I', 'i'], ['ı', 'İ']],
    ['(?i)^\\W$', ['é'], ['s', 'ſ']],
    ['(?i)^[^x]$', ['y'], ['x', 'X']],
    ['(?i)^\\p{Lu}$', ['é', 'É'], ['1']],
    ['^[[:alpha:]]+$', ['abC'], ['a1']],
    ['^[[:alpha:]_]+$', ['ab_c'], ['ab-c']],
    ['^[[:^digit:]]$', ['a', 'é'], ['1']],
    ['^[^[:space:]]$', ['a'], [' ']],
    ['^[^\\d]+$', ['ab'], ['a1']],
    ['\\Aa\\z', ['a'], ['a\n']],
    ['a.c', ['xxabcxx'], ['a\nc']],
    ['^a.b$', ['a\rb', 'axb'], ['a\nb']],
    ['(?s)a.c', ['a\nc'], ['ac']],
    ['^(?s:.)$', ['\n'], []],
    ['^b$', ['b'], ['a\nb']],
    ['(?m)^b$', ['a\nb\nc'], ['ab']],
    ['a$', ['ba'], ['a\n']],
    ['^(?P<x>a|b)+$', ['ab'], ['c']],
    ['^(?<x>a)$', ['a'], ['b']],
    ['(?P<x>a)(?P<x>b)', ['ab'], ['a']],
    ['^(?:ab|a)(?:c|bcd)$', ['abcd'], ['abc d']],
    ['^\\pL+$', ['é'], ['1']],
    ['^\\p{Lu}\\pL+$', ['Éa'], ['aa']],
    ['^\\p{uppercase letter}$', ['É'], ['é']],
    ['^\\p{Greek}$', ['α'], ['a']],
    ['^\\P{L}$', ['1'], ['a']],
    ['^\\p{^L}$', ['1'], ['a']],
    ['^\\s$', [' ', '\f'], ['\u00a0', '\v']],
    ['^[\\S]$', ['\u00a0', 'a'], [' ']],
    ['^\\x41\\x{42}\\103$', ['ABC'], []],
    ['^\\Q.*\\E$', ['.*'], ['a']],
    ['^\\Qab\\E*$', ['a', 'abb'], ['abab']],
    ['^a{,2}$', ['a{,2}'], ['aa']],
    ['a{x}', ['a{x}'], ['ax']],
    ['^a{02}$', ['a{02}'], ['aa']],
    ['^a{2,3}?$', ['aa'], ['a', 'aaaa']],
    ['^a{2,2}$', ['aa'], ['a', 'aaa']],
    ['^a(?i)*$', ['', 'aa'], ['A']],
    ['^[]a]$', [']', 'a'], ['b']],
    ['^[\\w.-]+$', ['a.b-c'], ['a b']],
    ['\\bfoo\\b', ['a foo b'], ['afoo', 'afoob']],
    ['^$', [''], ['a']],
    ['$^', [''], ['a']],
    ['^x*$', ['', 'x'], ['y']],
    ['^.$', ['😀', 'é'], ['ab']],
  ])('%s', (pattern, matches, others) => {
    const compiled = regex(pattern)

    expect(matches.filter((text) => !compiled.test(text, free))).toEqual([])
    expect(others.filter((text) => compiled.test(text, free))).toEqual([])
  })

  it.each([
    ['b+?', 'abbb', 'b'],
    ['foo|foobar', 'foobar', 'foo'],
    ['foobar|foo', 'foobar', 'foobar'],
    ['[^a]+', 'aé😀', 'é😀'],
    ['(?U)a.*', 'abc', 'a'],
    ['a*', 'xaa', ''],
    ['(?:a??)*', 'a', ''],
  ])('%s finds in %j what Perl would', (pattern, text, expected) => {
    const match = regex(pattern).find(text, 0, free)

    expect(match && text.slice(match.start, match.end)).toBe(expected)
  })

  it.each([
    ['[', 'missing closing ]: `[`'],
    ['[a-', 'missing closing ]: `[a-`'],
    ['x[[:alpha', 'missing closing ]: `[[:alpha`'],
    ['(a', 'missing closing ): `(a`'],
    ['a)', 'unexpected ): `a)`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?i-)a', 'invalid or unsupported Perl syntax: `(?i-)`'],
    ['(?P<', 'invalid or unsupported Perl syntax: `(?P`'],
    ['(?<=a)', 'invalid named capture: `(?<=a)`'],
    ['(?P<n', 'invalid named capture: `(?P<n`'],
    ['(?P<a b>x)', 'invalid named capture: `(?P<a b>`'],
    ['+', 'missing argument to repetition operator: `+`'],
    ['a|*', 'missing argument to repetition operator: `*`'],
    ['(?i)+?a', 'missing argument to repetition operator: `+?`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['x{2}{3}', 'invalid nested repetition operator: `{2}{3}`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['a{3,2}', 'invalid repeat count: `{3,2}`'],
    ['(a{100}){11}', 'invalid repeat count: `{11}`'],
    ['[b-a]', 'invalid character class range: `b-a`'],
    ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
    ['\\p{Foo}', 'invalid character class range: `\\p{Foo}`'],
    ['\\p{Latn}', 'invalid character class range: `\\p{Latn}`'],
    ['\\p{L', 'invalid character class range: `\\p{L`'],
    ['\\1', 'invalid escape sequence: `\\1`'],
    ['\\8', 'invalid escape sequence: `\\8`'],
    ['\\Z', 'invalid escape sequence: `\\Z`'],
    ['\\x{110000}', 'invalid escape sequence: `\\x{110000`'],
    ['[a-\\d]', 'invalid escape sequence: `\\d`'],
    ['\\', 'trailing backslash at end of expression: ``'],
  ])('%s is refused in the words of Go', (pattern, problem) => {
    expect(regexOf(pattern)).toBe(`error parsing regexp: ${problem}`)
  })

  it('nests a thousand deep and no deeper', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}a${')'.repeat(depth)}`

    expect(regex(nested(999)).test('a', free)).toBe(true)
    expect(regexOf(nested(1000))).toContain('expression nests too deeply')
  })

  it('may have many alternatives', () => {
    expect(regex(`^(?:${'a|'.repeat(6000)}b)$`).test('b', free)).toBe(true)
  })

  it('is refused when it would make too large a machine', () => {
    expect(regexOf('(abcdefghijklmnopqrstuvwxyz){1000}'.repeat(2))).toContain(
      'expression too large',
    )
  })
})

describe('the work of a match', () => {
  it.each([
    ['(a+)+$', 'a'],
    ['^(a|aa)+$', 'a'],
    ['\\b(a|aa)+\\b$', 'a'],
    ['(.*)(.*)(.*)x', 'é'],
  ])('grows with the text and no faster for %s', (pattern, letter) => {
    unitsFor(pattern, `${letter.repeat(3)}!`)
    const short = unitsFor(pattern, `${letter.repeat(50)}!`)
    const long = unitsFor(pattern, `${letter.repeat(5000)}!`)

    expect(short).toBeLessThan(2000)
    expect(long).toBeLessThan(short * 150)
  })

  it('is the letters of the text alone once the pattern has met their like', () => {
    const text = 'ab.cdé.e'.repeat(10)
    unitsFor('^[a-z]+([.][a-zé]+)*$', text)

    expect(unitsFor('^[a-z]+([.][a-zé]+)*$', text)).toBe(1 + text.length / 4)
  })

  it('is bounded in what it keeps where no two places in the text are alike', () => {
    const text = noise(1000)

    expect(unitsFor('(a|b)*a(a|b){300}c', text)).toBeLessThan(1000 * 300 * 20)
    expect(regex('(a|b)*a(a|b){300}$').test(text, free)).toBe(text.at(-301) === 'a')
  })

  it('ends where the one who asks wants no more of it', () => {
    const stop = (): never => {
      throw new Error('enough')
    }

    expect(() => regex('^a$').test('a', stop)).toThrow('enough')
    expect(regex('^a$').test('a', free)).toBe(true)
  })
})
