import { expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import type { Fetched } from '#runtime/fetch-any.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aWorker } from '#test/builders.ts'
import { liveObject } from './live-object.ts'

const RULE = '{apiGroups: ["talos.alperen.cloud"], resources: ["taloscontrolplanes"]}'

const asked = (answer: Fetched) =>
  liveObject(ControlPlane, 'prod', { fetchAny: async () => answer })

test('an object is what the API has of it, whatever the caches show', async () => {
  const live = aControlPlane({ metadata: { resourceVersion: '2' } })
  const { read } = aReader({ cached: [aControlPlane()], live: [live] })

  expect(await liveObject(ControlPlane, 'prod', read)).toEqual(live)
})

test('the API is asked for the kind, the version and the name', async () => {
  const refs: unknown[] = []

  await liveObject(ControlPlane, 'prod', {
    fetchAny: async (ref) => {
      refs.push(ref)
      return { is: 'absent' }
    },
  })

  expect(refs).toEqual([
    { apiVersion: 'talos.alperen.cloud/v1alpha1', kind: 'TalosControlPlane', name: 'prod' },
  ])
})

test('there is none only where the API says that there is none', async () => {
  expect(await asked({ is: 'absent' })).toBeUndefined()
})

test('an operator that may not ask does not know, and says which rule it lacks', async () => {
  await expect(asked({ is: 'forbidden', rule: RULE, role: 'Role' })).rejects.toMatchObject({
    code: 'Forbidden',
    message: `the API does not say whether there is a TalosControlPlane prod: the operator's role lacks the rule ${RULE}`,
  })
})

test.each<[string, Fetched]>([
  ['it serves no such kind', { is: 'noSuchKind' }],
  ['it is not read at all', { is: 'refused', why: 'so that we see' }],
  ['it has something else there', { is: 'found', object: { ...aWorker() } }],
])('where the API does not say, nobody goes on: %s', async (_why, answer) => {
  await expect(asked(answer)).rejects.toMatchObject({
    code: 'UnknownError',
    message: 'the API does not say whether there is a TalosControlPlane prod',
  })
})

test('what goes wrong while it is asked is not taken for an answer', async () => {
  const fetchAny = () => Promise.reject(new Error('the API is away'))

  await expect(liveObject(ControlPlane, 'prod', { fetchAny })).rejects.toThrow('the API is away')
})
