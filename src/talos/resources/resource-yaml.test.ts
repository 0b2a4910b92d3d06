import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { resourceValue } from './resource-yaml.ts'

test('what a machine writes is read as it means it', () => {
  const text = `address: 10.5.0.2/24
linkIndex: 7
flags: 0x3
up: true
ports: [80, "443"]
table:
    main:
        - dst: ""
          gateway: fe80::1
    local: []
    none: {}
priority: 18446744073709551615
created: 2026-11-17T10:00:00Z
note: |
    two
    lines
empty:
`

  expect(resourceValue(text)).toEqual({
    ...{ address: '10.5.0.2/24', linkIndex: 7, flags: 3, up: true, ports: [80, '443'] },
    table: { main: [{ dst: '', gateway: 'fe80::1' }], local: [], none: {} },
    ...{ priority: 2 ** 64, created: '2026-11-17T10:00:00Z', note: 'two\nlines\n', empty: null },
  })
})

test('nothing is null', () => {
  expect(resourceValue('')).toBeNull()
})

test('whatever is written as YAML is read as it was', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      // Quoted: without quotes `1_0` is a number to those who write resources, and a text to this writer.
      const text = stringify(JSON.parse(json), { defaultStringType: 'QUOTE_DOUBLE' })
      expect(resourceValue(text)).toEqual(JSON.parse(json))
    }),
  )
})

test.each([
  ['a: secret\n b: [', 'yaml: '],
  ['? {a: secret}\n: b', 'yaml: invalid map key'],
  [`${'['.repeat(200)}secret`, 'yaml: '],
  ['a: &x secret\nb: *y', 'yaml: '],
  ['a: 1\n---\nb: secret', 'more than one document'],
  ['a: 1\nb: secret\nb: 2', 'line 1: a key is there twice'],
  ['a: !!binary /////w==', 'line 1: bytes that are no text'],
])('what is none is refused, and not shown: %s', (text, reason) => {
  const read = () => resourceValue(text)

  expect(read).toThrow(reason)
  expect(read).not.toThrow('secret')
})

test('a key of any name is a key', () => {
  expect(Object.entries(Object(resourceValue('__proto__: {a: 1}')))).toEqual([
    ['__proto__', { a: 1 }],
  ])
})
