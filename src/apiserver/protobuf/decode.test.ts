import { expect, test } from 'vitest'
import { decodeBuiltin } from '#apiserver/builtin/decode.ts'
import { schemaOfKind } from '#apiserver/builtin/resources.ts'
import { decodeDeleteOptions, decodeProtobuf } from './decode.ts'
import { readEnvelope } from './envelope.ts'
import { kubectlBodies } from './kubectl-bodies.cases.ts'
import { richObjects } from './rich-objects.cases.ts'
import { delimited, enveloped, numeric, varint } from './wire-bytes.cases.ts'

function expectedKind(apiVersion: string, kind: string) {
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const schema = schemaOfKind(group, version, kind)
  if (!schema) throw new Error(`there is no ${kind} in ${apiVersion}`)
  return { group, version, kind, schema }
}

/** As the kind that it says it is. */
function decode(bytes: Buffer) {
  const { apiVersion = '', kind = '' } = readEnvelope(bytes)
  return kind === 'DeleteOptions'
    ? decodeDeleteOptions(bytes)
    : decodeProtobuf(bytes, expectedKind(apiVersion, kind))
}

const configMap = expectedKind('v1', 'ConfigMap')
const named = (name: string) => delimited(1, delimited(1, name))
const aConfigMap = (...parts: Buffer[]) => enveloped('v1', 'ConfigMap', ...parts)

test.each(kubectlBodies)('what `kubectl $command` sends is read', ({ bytes, json }) => {
  expect(decode(Buffer.from(bytes, 'base64'))).toEqual(json)
})

test.each(richObjects)('a $kind with all sorts of fields is what it is in JSON', (object) => {
  const bytes = Buffer.from(object.bytes, 'base64')
  const json = JSON.parse(object.json)
  const expected = expectedKind(json.apiVersion, object.kind)

  const decoded = decodeBuiltin(decodeProtobuf(bytes, expected), expected)

  expect(decoded).toEqual({ object: json, unknown: [] })
})

// Each sentence is what kube-apiserver v1.36.4 says.
test.each<[string, Buffer, string]>([
  ['nothing', Buffer.alloc(0), 'empty data (<empty>)'],
  [
    'JSON',
    Buffer.from('{"a":1}'),
    'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({"a":1})',
  ],
  [
    'half a prefix',
    Buffer.from('k8'),
    'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (6b38)',
  ],
  ['a prefix alone', Buffer.from('k8s\0'), 'empty body (6b387300)'],
  [
    'a prefix and more than is there',
    Buffer.from('k8s\0\x0a\x55a'),
    'unexpected EOF (6b3873000a5561)',
  ],
  [
    'a long body without end',
    Buffer.concat([aConfigMap(named('x')).subarray(0, 28), Buffer.alloc(9, 255)]),
    'unexpected EOF (6b3873000a0f0a0276311209436f6e6669674d617012050a030a0178ffff ...)',
  ],
])('%s is no object', (_, bytes, sentence) => {
  expect(() => decodeProtobuf(bytes, configMap)).toThrow(
    `the object provided is unrecognized (must be of type ConfigMap): ${sentence}`,
  )
})

// Each sentence is what kube-apiserver v1.36.4 says.
test.each<[string, number[], string]>([
  ['a text without end', [0x0a, 0x55, 0x61], 'unexpected EOF'],
  ['a message that is a number', [8, 1], 'proto: wrong wireType = 0 for field ObjectMeta'],
  ['a text that is a number', [0x0a, 2, 8, 1], 'proto: wrong wireType = 0 for field Name'],
  ['a boolean that is a text', [0x22, 1, 120], 'proto: wrong wireType = 2 for field Immutable'],
  ['an entry of a map that is a number', [0x12, 2, 8, 1], 'unexpected EOF'],
  ['a field without a number', [0, 1], 'proto: ConfigMap: illegal tag 0 (wire type 0)'],
  ['a group that ends', [12], 'proto: ConfigMap: wiretype end group for non-group'],
  ['a group that ends in a map', [0x12, 1, 0x1c], 'proto: unexpected end of group'],
  ['a group without end', [0xa3, 6, 8, 1], 'unexpected EOF'],
  ['a known field of no wire type', [14], 'proto: wrong wireType = 6 for field ObjectMeta'],
  ['a field of no wire type', [0xa7, 6], 'proto: illegal wireType 7'],
  ['a length that is too long', [0x0a, ...Array(10).fill(255), 1], 'proto: integer overflow'],
  ['a tag that is too long', [...Array(10).fill(255), 1], 'proto: integer overflow'],
  [
    'a negative length',
    [0x0a, ...Array(9).fill(255), 1],
    'proto: negative length found during unmarshaling',
  ],
  [
    'a length that overflows',
    [0x0a, ...Array(8).fill(255), 127],
    'proto: negative length found during unmarshaling',
  ],
])('%s is refused', (_, raw, sentence) => {
  expect(() => decodeProtobuf(aConfigMap(Buffer.from(raw)), configMap)).toThrow(
    `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${sentence}`,
  )
})

test.each([
  ['v1', ''],
  ['', 'ConfigMap'],
  ['', ''],
  ['a/b/c', 'ConfigMap'],
])('what the version %j and the kind %j do not tell follows from the request', (version, kind) => {
  expect(decodeProtobuf(enveloped(version, kind, named('x')), configMap)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
  })
})

test('of another kind only the kind is told, which is then refused', () => {
  const sent = decodeProtobuf(enveloped('v1', 'Foo', named('x')), configMap)

  expect(sent).toEqual({ apiVersion: 'v1', kind: 'Foo' })
  expect(() => decodeBuiltin(sent, configMap)).toThrow(
    'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  )
})

test('unknown fields and groups are passed over', () => {
  const group = Buffer.from([0xa3, 6, 8, 1, 0xab, 6, 0xac, 6, 0xa4, 6])
  const fixed = Buffer.concat([
    varint(99 * 8 + 1),
    Buffer.alloc(8),
    varint(98 * 8 + 5),
    Buffer.alloc(4),
  ])
  const bytes = aConfigMap(group, numeric(97, -1), delimited(96, 'x'), fixed, named('x'))

  expect(decode(bytes)).toMatchObject({ metadata: { name: 'x' } })
})

test('a message in parts is put together, and the last of two texts counts', () => {
  const parts = [named('a'), delimited(1, delimited(3, 'there')), named('b')]
  const metadataOf = (...more: Buffer[]) => decode(aConfigMap(...parts, ...more)).metadata

  expect(metadataOf()).toEqual({ name: 'b', namespace: 'there' })
  expect(metadataOf(named(''))).toEqual({ namespace: 'there' })
})

test('a map may lack keys and values, and hold any name', () => {
  const entries = [
    delimited(2, delimited(2, 'v')),
    delimited(2, delimited(1, 'k'), delimited(9, 'unknown')),
    delimited(2, delimited(1, '__proto__'), delimited(2, 'x')),
    delimited(3, delimited(1, 'b')),
  ]

  expect(JSON.stringify(decode(aConfigMap(...entries)))).toBe(
    '{"apiVersion":"v1","kind":"ConfigMap","data":{"":"v","k":"","__proto__":"x"},"binaryData":{"b":""}}',
  )
})

test.each([
  [[], undefined],
  [[numeric(1, 0)], '1970-01-01T00:00:00Z'],
  [[numeric(1, -1), numeric(2, 999)], '1969-12-31T23:59:59Z'],
  [[numeric(1, -62_135_596_800)], undefined],
  [[numeric(1, 253_402_300_799)], '9999-12-31T23:59:59Z'],
])('the time %# is written as JSON has it', (parts, text) => {
  const bytes = aConfigMap(delimited(1, delimited(8, ...parts)))

  expect(decode(bytes)).toHaveProperty('metadata', text ? { creationTimestamp: text } : {})
})

test.each([253_402_300_800, 2n ** 62n, -(2n ** 63n)])('the time %d is refused', (seconds) => {
  const bytes = aConfigMap(delimited(1, delimited(8, numeric(1, seconds))))

  expect(() => decode(bytes)).toThrow('year outside of range')
})

test.each([
  [[], undefined],
  [[numeric(1, 1), numeric(2, 1_999)], '1970-01-01T00:00:01.000001Z'],
  [[numeric(1, 1), numeric(2, -1_000)], '1970-01-01T00:00:00.999999Z'],
  [[numeric(2, 2_000_000_000)], '1970-01-01T00:00:02.000000Z'],
])('the time to the microsecond %# is written as JSON has it', (parts, text) => {
  const bytes = enveloped('coordination.k8s.io/v1', 'Lease', delimited(2, delimited(4, ...parts)))

  expect(decode(bytes)).toHaveProperty('spec', text ? { renewTime: text } : {})
})

test.each([
  [[numeric(1, 0), numeric(2, 80), delimited(3)], 80],
  [[numeric(1, 0), numeric(2, -1)], -1],
  [[numeric(1, 1), numeric(2, 0), delimited(3, '50%')], '50%'],
  [[], 0],
])('the number or text %# is one of both', (parts, value) => {
  const bytes = enveloped('policy/v1', 'PodDisruptionBudget', delimited(2, delimited(1, ...parts)))

  expect(decode(bytes)).toHaveProperty('spec', { minAvailable: value })
})

test('a list that is a message of its own is a list', () => {
  const extra = delimited(
    5,
    delimited(1, 'k'),
    delimited(2, delimited(1, 'a'), delimited(1), delimited(1, 'b')),
  )
  const bytes = enveloped('authorization.k8s.io/v1', 'SubjectAccessReview', delimited(2, extra))

  expect(decode(bytes)).toHaveProperty('spec', { extra: { k: ['a', '', 'b'] } })
})

test('a schema may be replaced by something simpler', () => {
  const described = (field: number, text: string) => delimited(field, delimited(4, text))
  const dependency = (key: string, value: Buffer) =>
    delimited(32, delimited(1, key), delimited(2, value))
  const schema = delimited(
    1,
    delimited(24, described(1, 'unused'), described(2, 'a'), described(2, 'b')),
    delimited(30, numeric(1, 1)),
    delimited(33, numeric(1, 0)),
    delimited(28, delimited(24, described(1, 'c')), delimited(30, described(2, 'd'))),
    dependency('names', Buffer.concat([delimited(2, 'x'), delimited(2, 'y')])),
    dependency('schema', described(1, 'e')),
    dependency('nothing', Buffer.alloc(0)),
  )
  const bytes = enveloped(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    delimited(2, delimited(7, delimited(4, schema))),
  )

  expect(decode(bytes)).toHaveProperty('spec.versions.0.schema.openAPIV3Schema', {
    items: [{ description: 'a' }, { description: 'b' }],
    additionalProperties: true,
    additionalItems: false,
    not: { items: { description: 'c' }, additionalProperties: { description: 'd' } },
    dependencies: { names: ['x', 'y'], schema: { description: 'e' }, nothing: null },
  })
})

test('numbers of a list may come many at once', () => {
  const groups = Buffer.concat([delimited(4, varint(1), varint(300), varint(-1)), numeric(4, 7)])
  const bytes = enveloped('v1', 'Pod', delimited(2, delimited(14, groups)))

  expect(decode(bytes)).toHaveProperty('spec.securityContext', {
    supplementalGroups: [1, 300, -1, 7],
  })
})

test('an eviction holds the options of the deletion', () => {
  const options = delimited(2, numeric(1, 0), delimited(2, delimited(1, 'u')), delimited(5, 'All'))

  expect(decode(enveloped('policy/v1', 'Eviction', named('p'), options))).toEqual({
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'p' },
    deleteOptions: { gracePeriodSeconds: 0, preconditions: { uid: 'u' }, dryRun: ['All'] },
  })
})

// As kube-apiserver v1.36.4 has it.
test('options of a deletion may be of any group and version, but of no other kind', () => {
  const bytes = enveloped('foo/v9', 'DeleteOptions', delimited(4, 'Orphan'))

  expect(decodeDeleteOptions(bytes)).toEqual({ propagationPolicy: 'Orphan' })
  expect(() => decodeDeleteOptions(enveloped('v1', 'ConfigMap'))).toThrow(
    /^no kind "ConfigMap" is registered for version "v1" in scheme "pkg\/runtime\/scheme.go:111"$/,
  )
  expect(() => decodeDeleteOptions(Buffer.from('k8s\0'))).toThrow(/^empty body$/)
  expect(() => decodeDeleteOptions(enveloped('v1', 'DeleteOptions', delimited(1)))).toThrow(
    /^proto: wrong wireType = 2 for field GracePeriodSeconds$/,
  )
})
