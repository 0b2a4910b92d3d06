import { expect, test } from 'vitest'
import { MADE_FOR, SECRETS_IN_USE } from '#api/labels.ts'
import { type HeldSecret, holdOn, holdPatch } from './cluster-secrets-hold.ts'

const aSecret = (finalizers: string[] | undefined, deletionTimestamp?: string): HeldSecret => ({
  metadata: {
    ...{ name: 'prod-secrets', namespace: 'default', resourceVersion: '7' },
    ...(finalizers && { finalizers }),
    ...(deletionTimestamp && { deletionTimestamp }),
  },
})
const DELETED = '2030-01-01T00:00:00Z'

test.each([
  ['there is none', undefined, 'absent'],
  ['nobody holds it', aSecret(undefined), 'loose'],
  ['another program holds it', aSecret(['other.example/hold']), 'loose'],
  ['we hold it', aSecret(['other.example/hold', SECRETS_IN_USE]), 'held'],
  ['we hold it and somebody deleted it', aSecret([SECRETS_IN_USE], DELETED), 'condemned'],
  // A hold cannot be put on what is on its way out.
  ['it is deleted and another holds it', aSecret(['other.example/hold'], DELETED), 'absent'],
])('when %s, that is said', (_when, secret, hold) => {
  expect(holdOn(secret)).toBe(hold)
})

test('a hold is put and taken on the version that was looked at, beside those of others', () => {
  const loose = aSecret(['other.example/hold'])
  const held = aSecret(['other.example/hold', SECRETS_IN_USE])

  const changed = ({ metadata: { finalizers } }: HeldSecret, madeFor: string | null) => ({
    ...{ type: 'merge' },
    body: { metadata: { resourceVersion: '7', finalizers, annotations: { [MADE_FOR]: madeFor } } },
  })

  expect(holdPatch(loose, { isHeld: true, madeFor: 'uid' })).toEqual(changed(held, 'uid'))
  expect(holdPatch(loose, { isHeld: true })).toEqual(changed(held, null))
  expect(holdPatch(held, { isHeld: false })).toEqual(changed(loose, null))
})
