import { once } from 'node:events'
import { request } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AnApi, anApi } from '#test/an-api.ts'
import { until } from '#test/until.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
const GADGETS = '/apis/tests.example/v1/namespaces/default/gadgets'

let api: AnApi
beforeAll(async () => {
  api = await anApi()
})
afterAll(() => api[Symbol.asyncDispose]())

const get = (path: string) => api.send({ method: 'GET', path })
const remove = (path: string) => api.send({ method: 'DELETE', path })
const untilGone = (path: string) =>
  until(
    `${path} to go`,
    () => get(path),
    ({ status }) => status === 404,
  )

interface Defined {
  group: string
  plural: string
  kind: string
  version: string
}

async function define({ group, plural, kind, version }: Defined): Promise<string> {
  const name = `${plural}.${group}`
  const schema = { openAPIV3Schema: { type: 'object' } }
  await api.send({
    method: 'POST',
    path: DEFINITIONS,
    body: {
      metadata: { name, annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural, kind },
        versions: [{ name: version, served: true, storage: true, schema }],
      },
    },
  })
  const path = `${DEFINITIONS}/${name}`
  await until(
    `${name} to be established`,
    async () => JSON.stringify(await get(path)),
    (shown) => shown.includes('InitialNamesAccepted'),
  )
  return path
}

test('a definition of what is built in defines nothing, and takes nothing with it', async () => {
  await api.send({ method: 'POST', path: LEASES, body: { metadata: { name: 'kept' }, spec: {} } })
  const crd = { group: 'coordination.k8s.io', plural: 'leases', kind: 'Lease', version: 'v9' }

  const definition = await define(crd)
  const other = await get('/apis/coordination.k8s.io/v9/leases')
  await remove(definition)
  await untilGone(definition)

  expect(other.status).toBe(404)
  expect((await get(`${LEASES}/kept`)).status).toBe(200)
})

test('nothing is made of a kind whose definition went while the body came', async () => {
  const crd = { group: 'tests.example', plural: 'gadgets', kind: 'Gadget', version: 'v1' }
  const definition = await define(crd)
  const body = JSON.stringify({
    apiVersion: 'tests.example/v1',
    kind: 'Gadget',
    metadata: { name: 'late' },
  })
  const { certificate: cert, key } = api.admin
  const slow = request(new URL(GADGETS, api.url), {
    ...{ method: 'POST', ca: api.ca, cert, key },
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      // Answered when the server has begun with the request.
      expect: '100-continue',
    },
  })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    slow.on('error', reject).on('response', (response) => resolve(response.resume().statusCode))
  })
  slow.flushHeaders()
  await once(slow, 'continue')
  await remove(definition)
  await untilGone(definition)

  slow.end(body)

  expect(await answered).toBe(404)
  await define(crd)
  expect((await get(GADGETS)).body).toMatchObject({ items: [] })
})
