import { afterAll, beforeAll, expect, test } from 'vitest'
import { Worker } from '#api/worker.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { until } from '#test/until.ts'

let api: AnApi
beforeAll(async () => {
  api = await anApi({ kinds: [Worker] })
})
afterAll(() => api[Symbol.asyncDispose]())

const get = (path: string) => api.send({ method: 'GET', path })
const post = (path: string, body: object) => api.send({ method: 'POST', path, body })
const untilGone = (path: string) =>
  until(
    `${path} to go`,
    () => get(path),
    ({ status }) => status === 404,
  )

test('with a namespace goes all that is in it, and it waits for what is held', async () => {
  const namespace = '/api/v1/namespaces/short'
  await post('/api/v1/namespaces', { metadata: { name: 'short' } })
  await post(`${namespace}/configmaps`, { metadata: { name: 'free' } })
  const finalizers = ['tests.example/hold']
  await post(`${namespace}/secrets`, { metadata: { name: 'held', finalizers } })

  await api.send({ method: 'DELETE', path: namespace })
  await untilGone(`${namespace}/configmaps/free`)
  expect((await get(namespace)).body).toMatchObject({ status: { phase: 'Terminating' } })
  const late = await post(`${namespace}/configmaps`, { metadata: { name: 'late' } })
  expect(late.body).toMatchObject({
    code: 403,
    details: { causes: [{ field: 'metadata.namespace' }] },
  })
  await api.send({
    method: 'PATCH',
    path: `${namespace}/secrets/held`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { finalizers: null } },
  })

  await untilGone(namespace)
})

test('what pods rely on stays in a namespace as long as they do', async () => {
  const namespace = '/api/v1/namespaces/ordered'
  await post('/api/v1/namespaces', { metadata: { name: 'ordered' } })
  await post(`${namespace}/configmaps`, { metadata: { name: 'relied-on' } })
  await post(`${namespace}/pods`, {
    metadata: { name: 'held', finalizers: ['tests.example/hold'] },
    spec: { containers: [{ name: 'main', image: 'main' }] },
  })

  await api.send({ method: 'DELETE', path: namespace })
  await until(
    'the namespace to say what it waits for',
    async () => Object((await get(namespace)).body).status,
    ({ conditions }) => conditions !== undefined,
  )
  expect((await get(`${namespace}/configmaps/relied-on`)).status).toBe(200)
  await api.send({
    method: 'PATCH',
    path: `${namespace}/pods/held`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { finalizers: null } },
  })

  await untilGone(namespace)
})

test('with a definition go its objects, and it waits for those that are held', async () => {
  const workers = '/apis/talos.alperen.cloud/v1alpha1/namespaces/default/talosworkers'
  const crd =
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/talosworkers.talos.alperen.cloud'
  const worker = (name: string, finalizers: string[] = []) =>
    post(workers, {
      apiVersion: 'talos.alperen.cloud/v1alpha1',
      kind: 'TalosWorker',
      metadata: { name, finalizers },
      spec: { mode: 'metal', metalSpec: {} },
    })
  await worker('free')
  await worker('held', ['tests.example/hold'])

  await api.send({ method: 'DELETE', path: crd })
  await untilGone(`${workers}/free`)
  expect((await get(`${workers}/held`)).body).toMatchObject({
    metadata: { deletionTimestamp: expect.any(String) },
  })
  expect((await get(crd)).status).toBe(200)
  await api.send({
    method: 'PATCH',
    path: `${workers}/held`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { finalizers: null } },
  })

  await untilGone(crd)
  await untilGone(workers)
})
