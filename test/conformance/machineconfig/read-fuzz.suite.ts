import { describe, expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { readDocuments } from '#machineconfig/read/read-documents.ts'
import { writtenCases } from '#machineconfig/write/cases/written.cases.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'

const INPUTS = 100_000
const SLOWEST_MS = 100
const LARGEST_HEAP = 512 * 1024 * 1024
const SEED = Number(process.env.FUZZ_SEED ?? 1)

/** Takes a text, or refuses it as it should; says how much of a core's time that took. */
function attempt(text: string): { ms: number; config?: ReturnType<typeof readConfig> } {
  const start = process.cpuUsage()
  try {
    const config = readConfig(text)
    return { ms: msSince(start), config }
  } catch (error) {
    if (!(error instanceof ConfigError))
      throw new Error(`crashed on ${JSON.stringify(text)}`, { cause: error })
    return { ms: msSince(start) }
  }
}

const msSince = (start: NodeJS.CpuUsage): number => process.cpuUsage(start).user / 1000

// On a busy machine one attempt says little.
const fastest = (text: string): number =>
  Math.min(...Array.from({ length: 5 }, () => attempt(text).ms))

function mulberry(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const TEXTS = writtenCases.flatMap(({ text, written }) => [text, written])
const PIECES = [
  '\n',
  ' ',
  '  ',
  ': ',
  '- ',
  '? ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  "'",
  '|',
  '>',
  '#',
  '\t',
  '\r',
  '\0',
  '\\',
]
  .concat([
    '&a ',
    '*a',
    '!x ',
    '!!str ',
    '!!binary ',
    '<<: ',
    '---\n',
    '...\n',
    '%TAG ! x\n',
    '$patch: delete\n',
    '~',
    '{}',
    '[]',
  ])
  .concat([
    'é',
    '\u{1f600}',
    '\ufeff',
    '\u2028',
    '0x',
    '1e999',
    '-1',
    '99999999999999999999',
    '__proto__: a\n',
  ])
  .concat(['['.repeat(200), '- '.repeat(200), 'a'.repeat(5000), '&a [*a, *a]', '"'.repeat(100)])

function mutated(random: (below: number) => number): string {
  let text = TEXTS[random(TEXTS.length)] ?? ''
  for (let change = random(4); change >= 0; change--) {
    const at = random(text.length + 1)
    const piece = PIECES[random(PIECES.length)] ?? ''
    const [inserted, dropped] = [
      [piece, 0],
      ['', 1 + random(20)],
      [piece, 1 + random(5)],
      [text.slice(at, at + random(200)), 0],
    ][random(4)] as [string, number] // random is below the length of the list
    text = text.slice(0, at) + inserted + text.slice(at + dropped)
  }
  return text
}

describe('mutated configurations', () => {
  test(`${INPUTS} of them do not crash, hang or fill the memory; what is taken is written and read again (seed ${SEED})`, {
    timeout: 600_000,
  }, () => {
    const random = mulberry(SEED)
    let taken = 0

    for (let at = 0; at < INPUTS; at++) {
      const text = mutated(random)
      const { ms, config } = attempt(text)
      if (ms > SLOWEST_MS) expect(fastest(text), JSON.stringify(text)).toBeLessThan(SLOWEST_MS)
      if (!config) continue
      taken++
      const written = writeConfig(config)
      expect(writeConfig(readConfig(written)), JSON.stringify(text)).toBe(written)
    }

    expect(taken).toBeGreaterThan(INPUTS / 50)
    expect(process.memoryUsage().heapUsed).toBeLessThan(LARGEST_HEAP)
  })

  test('patches with deletions do not crash either', () => {
    const random = mulberry(SEED + 1)

    for (let at = 0; at < 10_000; at++) {
      const text = mutated(random)
      try {
        readDocuments(text, { allowDeletes: true })
      } catch (error) {
        expect(error, JSON.stringify(text)).toBeInstanceOf(ConfigError)
      }
    }
  })
})

describe('texts that are made to take long', () => {
  const MOST = 4 * 1024 * 1024
  const filled = (head: string, piece: string, tail = ''): string =>
    head + piece.repeat(Math.floor((MOST - head.length - tail.length) / piece.length)) + tail
  const laughs = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`)
  const sysctls = (count: number): string =>
    Array.from({ length: count }, (_, at) => `\n    k${at}: v`).join('')

  const hostile: Record<string, string> = {
    'a scalar of 10 MB': `a: ${'x'.repeat(10_000_000)}`,
    'a scalar of 4 MiB': filled('machine:\n  type: ', 'x'),
    'a quoted scalar': filled('machine: "', 'x', '"'),
    'a quote without an end': filled('machine: "', 'x '),
    'lines in quotes': filled('machine: "', `${' '.repeat(30)}\n`, '"'),
    escapes: filled('machine: "', '\\n', '"'),
    apostrophes: filled("machine: '", "''", "'"),
    'a block scalar': filled('machine: |\n', '  x\n'),
    'a folded scalar': filled('machine: >\n', '  some words in a line\n'),
    'lines of a plain scalar': filled('machine: a', '\n  some words in a line'),
    'empty lines': filled('', '\n'),
    spaces: filled('', ' '),
    tabs: filled('', '\t'),
    comments: filled('', '#\n'),
    entries: filled('', '- a\n'),
    commas: filled('[', 'a,', ']'),
    'open brackets': filled('', '['),
    'open braces': filled('', '{'),
    dashes: filled('', '- '),
    questions: filled('', '? '),
    colons: filled('', ':'),
    stars: filled('', '*'),
    exclamations: filled('', '!'),
    'anchors without nodes': filled('', '&a\n!b\n'),
    anchors: filled('[', '&a x,', ']'),
    documents: filled('', '---\n'),
    'ends of documents': filled('a\n', '...\n'),
    'carriage returns': filled('', '\r'),
    'billions of laughs': ['a0: &a0 [x, x]', ...laughs].join('\n'),
    'a map of many keys': `machine:\n  sysctls:${sysctls(14_000)}`,
    'many unknown keys': `machine:${sysctls(14_000)}`,
    'many merges': `machine:\n  sysctls: &a {x: y}\n  sysfs: {<<: [${'*a,'.repeat(9_000)}]}`,
    'many problems': `machine:\n  certSANs:${'\n  - [a]'.repeat(9_000)}`,
    'many keys that are there': `machine:\n  sysctls:${'\n    a: b'.repeat(14_000)}`,
    digits: filled('debug: ', '1'),
    'digits with lines between': filled('debug: ', '1_'),
    'an exponent': filled('debug: 1e', '1'),
    'a date': filled('debug: 2020-', '1'),
    'a duration': filled('machine: {time: {bootTimeout: ', '1h', '}}'),
    base64: filled('machine: {ca: {crt: ', 'AAAA', '}}'),
    'bad base64': filled('machine: {ca: {crt: ', 'A', '?}}'),
    'an address': filled('cluster: {controlPlane: {endpoint: ', '/', '}}'),
    'a manifest': filled(
      'cluster:\n  inlineManifests:\n  - name: a\n    contents: |\n',
      '      key: some value of it\n',
    ),
  }

  test.each(Object.entries(hostile))('%s', (_, text) => {
    expect(fastest(text)).toBeLessThan(SLOWEST_MS)
  })
})
