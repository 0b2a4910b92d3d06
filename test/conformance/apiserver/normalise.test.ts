import { expect, test } from 'vitest'
import { normalised } from './normalise.ts'
import type { Entry } from './transcript.ts'

const known = { id: 'c123456789', group: 'cabcdef012.example.com', host: '127.0.0.1:6443' }
const step = 'GET /x'

const bodies = (...all: unknown[]): unknown[] =>
  normalised(
    all.map((body): Entry => ({ step, body })),
    known,
  ).map(({ body }) => body)

const object = (resourceVersion: string, rest: object = {}) => ({
  kind: 'ConfigMap',
  metadata: { name: 'a', resourceVersion, ...rest },
})

test('the names of a case are the same on all APIs', () => {
  const [entry] = normalised(
    [
      {
        step: `GET /apis/${known.group}/v1/namespaces/${known.id}/widgets`,
        warnings: [`of ${known.id}`],
        headers: { location: `https://${known.host}/x` },
        body: { [known.id]: `com.example.cabcdef012.v1.Widget in ${known.id}` },
      },
    ],
    known,
  )

  expect(entry).toEqual({
    step: 'GET /apis/<group>/v1/namespaces/<id>/widgets',
    warnings: ['of <id>'],
    headers: { location: 'https://<host>/x' },
    body: { '<id>': '<puorg>.v1.Widget in <id>' },
  })
})

test('resourceVersions keep their order and their equality, over all answers', () => {
  expect(bodies(object('900'), object('70'), object('900'), object('1000'))).toEqual([
    object('<rv 2>'),
    object('<rv 1>'),
    object('<rv 2>'),
    object('<rv 3>'),
  ])
})

test('the resourceVersion of a list is unrelated to those of its items', () => {
  const list = (resourceVersion: string, ...items: string[]) => ({
    kind: 'ConfigMapList',
    metadata: { resourceVersion },
    items: items.map((item) => object(item)),
  })

  expect(bodies(list('50', '5', '99'))).toEqual([list('<rv of the list>', '<rv 1>', '<rv 2>')])
})

test('an empty resourceVersion and a zero stay', () => {
  expect(bodies(object(''), { kind: 'XList', metadata: { resourceVersion: '0' } })).toEqual([
    object(''),
    { kind: 'XList', metadata: { resourceVersion: '0' } },
  ])
})

test('one uid has one placeholder, another has another', () => {
  const one = '11111111-2222-3333-4444-555555555555'
  const other = '99999999-2222-3333-4444-555555555555'

  expect(bodies(one, `${other} and ${one}`)).toEqual(['<uid 1>', '<uid 2> and <uid 1>'])
})

test('times of today go, in their form; times that a case sends stay', () => {
  expect(
    bodies('2026-05-05T10:00:00Z', '2026-05-05T10:00:00.123456Z', '2001-01-01T00:00:00Z'),
  ).toEqual(['<time>', '<time in fractions>', '2001-01-01T00:00:00Z'])
})

test('the random part of a generated name goes, wherever the name is', () => {
  expect(
    bodies(object('1', { generateName: 'a-', name: 'a-x7k2p' }), '"a-x7k2p" not found'),
  ).toEqual([
    object('<rv 1>', { generateName: 'a-', name: 'a-<suffix>' }),
    '"a-<suffix>" not found',
  ])
  const other = { generateName: 'a-', name: 'b-x7k2p' }
  expect(bodies(object('1', other))).toEqual([object('<rv 1>', other)])
})

test.each([
  ['a token', 'eyJhbGci.eyJpc3Mi.c2ln', '<token>'],
  ['a certificate', '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n', '<PEM>'],
  ['an address', '10.96.3.4', '<cluster IP>'],
  ['a hash', '/openapi/v3/api?hash=00FF', '/openapi/v3/api?hash=<hash>'],
  ['an old revision', 'too old resource version: 1 (77)', 'too old resource version: 1 (<rv>)'],
  ['a revision in JSON in a text', '{"resourceVersion":"5"}', '{"resourceVersion":"<rv>"}'],
])('%s is replaced', (_, text, shown) => {
  expect(bodies(text)).toEqual([shown])
})

test('ports and continue tokens are replaced by their keys', () => {
  expect(bodies({ nodePort: 30_123, port: 80, continue: 'abc', storageVersionHash: 'x=' })).toEqual(
    [{ nodePort: '<port>', port: 80, continue: '<continue>', storageVersionHash: '<hash>' }],
  )
})

test('owners of fields and causes of failures are sorted', () => {
  const cause = (field: string) => ({ field, message: 'bad' })
  const status = (...fields: string[]) => ({
    kind: 'Status',
    metadata: {},
    message: `X "a" is invalid: [${fields.map((field) => `${field}: bad`).join(', ')}]`,
    details: { causes: fields.map(cause) },
  })
  const owned = (...names: string[]) => ({ managedFields: names.map((manager) => ({ manager })) })

  expect(bodies(status('b', 'a'), owned('y', 'x'))).toEqual([status('a', 'b'), owned('x', 'y')])
})

test('a message that does not tell its causes stays', () => {
  const status = {
    message: 'X "a" is invalid: [a: bad]',
    details: {
      causes: [
        { field: 'a', message: 'bad' },
        { field: 'b', message: 'worse' },
      ],
    },
  }

  expect(bodies(status)).toEqual([status])
})

test('everything else stays', () => {
  const body = { a: [1, true, null, 'text', { deep: { er: '' } }], message: 'as it is' }

  expect(bodies(body)).toEqual([body])
})

test('what is wrong with an applied map is told in random order', () => {
  const told = (...errors: string[]) => ({ message: ['failed: errors:', ...errors].join('\n  ') })

  expect(bodies(told('.b: x', '.a: y'), told('.a: y', '.b: x'))).toEqual([
    told('.a: y', '.b: x'),
    told('.a: y', '.b: x'),
  ])
  expect(bodies({ message: 'b\n  a' })).toEqual([{ message: 'b\n  a' }])
})

test('the volume with the token of a pod has no name of its own', () => {
  expect(bodies({ name: 'kube-api-access-x7f2q' })).toEqual([{ name: 'kube-api-access-<suffix>' }])
  for (const name of ['kube-api-access-token', 'kube-api-access-x7f2', 'kube-api-access-x7f2q2']) {
    expect(bodies({ name })).toEqual([{ name }])
  }
})
