import { expect, test } from 'vitest'
import { atOnce } from '#apiserver/steps.ts'
import { dropRepeatedOwners, validateOwners } from './owner-references.ts'

const validated = (owners: unknown[]) => atOnce(validateOwners(owners))

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '1' }

test.each(['', '/', 'apps/', 'a/b/c'])('an owner of version %j is refused', (apiVersion) => {
  expect(validated([{ ...owner, apiVersion }])).toEqual([
    {
      reason: 'FieldValueInvalid',
      field: 'metadata.ownerReferences.apiVersion',
      message: `Invalid value: "${apiVersion}": version must not be empty`,
    },
  ])
})

test.each(['v1', 'apps/v1', '/v1'])('an owner of version %j is right', (apiVersion) => {
  expect(validated([{ ...owner, apiVersion }])).toEqual([])
})

test('two owners that control are shown in the order of Kubernetes', () => {
  const [error] = validated([
    { controller: true, ...owner },
    { controller: true, ...owner, name: 'p', uid: '2' },
  ])
  expect(error?.message).toBe(
    'Invalid value: [{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"1","controller":true},{"apiVersion":"v1","kind":"ConfigMap","name":"p","uid":"2","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for ConfigMap/o and ConfigMap/p',
  )
})

test('many owners that control do not multiply', () => {
  const many = Array.from({ length: 5000 }, (_, n) => ({ ...owner, uid: `${n}`, controller: true }))

  expect(validated(many).length).toBeLessThan(10)
  expect(validated(many.slice(0, 20))).toHaveLength(19)
})

test('an Event owns nothing', () => {
  const [error] = validated([{ uid: '1', name: 'o', kind: 'Event', apiVersion: 'v1' }])
  expect(error?.message).toBe(
    'Invalid value: {"apiVersion":"v1","kind":"Event","name":"o","uid":"1"}: /v1, Kind=Event is disallowed from being an owner',
  )
})

function dropped(ownerReferences: unknown[], isPatched = false) {
  const object = { metadata: { ownerReferences } }
  const warnings: string[] = []
  atOnce(dropRepeatedOwners(object, { isPatched, warn: (text) => warnings.push(text) }))
  return { owners: object.metadata.ownerReferences, warnings }
}

test('an owner that is named twice is kept once, and the client is told', () => {
  const { owners, warnings } = dropped([owner, { ...owner, uid: '2' }, { ...owner }])
  expect(owners).toEqual([owner, { ...owner, uid: '2' }])
  expect(warnings).toEqual([
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1',
  ])
})

test('what a patch repeats is told in other words', () => {
  expect(dropped([owner, owner], true).warnings[0]).toContain(' after mutating admission happens;')
})

test('one owner in two roles is kept twice', () => {
  const both = [owner, { ...owner, controller: true }]
  expect(dropped(both)).toEqual({ owners: both, warnings: [] })
})
