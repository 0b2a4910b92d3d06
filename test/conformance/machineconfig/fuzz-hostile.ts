const MOST = 4 * 1024 * 1024
const filled = (head: string, piece: string, tail = ''): string =>
  head + piece.repeat(Math.floor((MOST - head.length - tail.length) / piece.length)) + tail
const laughs = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`)
const sysctls = (count: number): string =>
  Array.from({ length: count }, (_, at) => `\n    k${at}: v`).join('')

/** Texts that are made to take long, each for one part of a reader; none is longer than what is read at all. */
export const hostileTexts: Readonly<Record<string, string>> = {
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
