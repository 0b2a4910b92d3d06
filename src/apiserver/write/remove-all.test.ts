import { expect, test } from 'vitest'
import { anApi } from '#test/an-api.ts'
import { at } from '#test/conformance/apiserver/values.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const LABEL = 'labelSelector=mine%3Dtrue'

test('all of a collection go in the order of their names, however long each takes', async () => {
  await using api = await anApi()
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, key) => [`key-${key}`, 'x']))
  for (const [name, data] of Object.entries({ a: many, b: {}, c: many, d: {} })) {
    // They stay, so that what they got can be seen.
    const metadata = { name, labels: { mine: 'true' }, finalizers: ['example.com/stay'] }
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
    await api.send({ method: 'POST', path: MAPS, body })
  }

  const { status } = await api.send({ method: 'DELETE', path: `${MAPS}?${LABEL}` })

  const { body } = await api.send({ method: 'GET', path: `${MAPS}?${LABEL}` })
  const versions = [0, 1, 2, 3].map((index) =>
    Number(at(body, 'items', index, 'metadata', 'resourceVersion')),
  )
  expect(status).toBe(200)
  expect(at(body, 'items', 0, 'metadata', 'deletionTimestamp')).toBeDefined()
  expect(versions).toEqual(versions.toSorted((one, other) => one - other))
})
