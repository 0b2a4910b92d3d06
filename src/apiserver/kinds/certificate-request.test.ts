import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import type { WriteContext } from '#apiserver/resource.ts'
import { certificateSigningRequest } from './certificate-request.ts'

const context: WriteContext = {
  user: { name: 'jane', groups: ['friends'] },
  now: '2026-01-01T00:00:00Z',
  dryRun: false,
  warn: () => {},
}

const pem = (type: string): string =>
  Buffer.from(`-----BEGIN ${type}-----\nYQ==\n-----END ${type}-----\n`).toString('base64')
const right = {
  request: pem('CERTIFICATE REQUEST'),
  signerName: 'example.com/a',
  usages: ['client auth'],
}

const problemsOf = (spec: Fields): string[] =>
  (certificateSigningRequest.validate?.({ spec }, undefined, context) ?? []).map(
    ({ field, message }) => `${field}: ${message}`,
  )

test('a request that is right is taken, and says who asks', () => {
  const object: Fields = { metadata: {}, spec: { ...right } }
  certificateSigningRequest.prepareCreate?.(object, context)

  expect(problemsOf(right)).toEqual([])
  expect(object.spec).toMatchObject({ username: 'jane', groups: ['friends'] })
})

test('a request of nothing is refused', () => {
  expect(problemsOf({})).toEqual([
    'spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST',
    'spec.usages: Required value',
    'spec.signerName: Required value',
  ])
})

test.each([pem('CERTIFICATE'), 'bm90aGluZw=='])('%s is no request', (request) => {
  expect(problemsOf({ ...right, request })).toEqual([
    `spec.request: Invalid value: "${request}": PEM block type must be CERTIFICATE REQUEST`,
  ])
})

test('usages are known, and there once', () => {
  expect(problemsOf({ ...right, usages: ['any', 'any'] })).toEqual([
    'spec.usages[1]: Duplicate value: "any"',
  ])
  expect(problemsOf({ ...right, usages: ['all'] })[0]).toMatch(
    /^spec\.usages\[0\]: Unsupported value: "all": supported values: "any", "cert sign", /,
  )
})

test('a certificate lasts for ten minutes at least', () => {
  expect(problemsOf({ ...right, expirationSeconds: 600 })).toEqual([])
  expect(problemsOf({ ...right, expirationSeconds: 599 })).toEqual([
    'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
  ])
})
