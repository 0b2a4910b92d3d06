// What readers of YAML, and of what stands in it, stumble over.

export const ODD_LETTERS = [...'\t\r\n\0\u0085\ufeff\ud800\udc00😀é"\'`&*!|>%@:,[]{}#?-~\\<= ']
export const TOKENS = [
  ...['&a ', '*a', '*none', '!!binary ', '!!set ', '!!float ', '!<tag:yaml.org,2002:str> ', '!x '],
  ...['<<: *a', '<<: [*a, *a]', '---\n', '...\n', '%YAML 1.2\n', '%TAG ! x:\n', '? ', '- ', ': '],
  ...['|\n', '>-\n', '|9+\n', '"', "'", '# ', '\t', '$patch: delete\n', '{', '}', '[', ']', ','],
]
export const VALUES = [
  ...[
    '~',
    'null',
    '.inf',
    '.nan',
    '-0',
    '0x7fffffffffffffff',
    '0o777',
    '1e400',
    '1_000',
    '2001-01-01',
  ],
  ...[
    '18446744073709551616',
    '-9223372036854775809',
    'yes',
    'OFF',
    '""',
    '[]',
    '{}',
    '!!str 1',
    '<<',
  ],
  ...[
    '10.0.0.0/33',
    '::/129',
    'fe80::1%eth0',
    '999999999999h',
    '1.5',
    '%',
    '101%',
    '10EiB',
    '-1MB',
  ],
  ...[
    'https://a b',
    'https://[::1',
    'YQ',
    'YQ=',
    '"\\ud800"',
    '__proto__',
    'constructor',
    '\u2028',
  ],
]
export const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '<<',
  '""',
  'kind',
  'name',
  '$patch',
]
export const REPEATED = [
  ...[
    'a',
    '1',
    ' ',
    '-',
    ':',
    '/',
    '=',
    '0.',
    '(',
    '[',
    '{',
    '- ',
    'a ',
    '"',
    "''",
    '\\',
    '*',
    '&&',
    '%',
  ],
  ...['1h', ', ', 'é', '😀', '\n', '\n ', '# ', '.', '_', '1:', '?', '!', '+1', '||', '\t'],
]

export const LENGTHS = [10, 100, 1_000, 20_000]
