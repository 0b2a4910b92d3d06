import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { Worker } from '#api/worker.ts'
import { anApi } from './an-api.ts'
import { FakeClock } from './fake-clock.ts'
import { callRaw } from './raw-client.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'

test('its time is that of its clock, and its kinds are there at once', async () => {
  await using api = await anApi({ clock: new FakeClock('2040-05-06T07:08:09Z'), kinds: [Worker] })
  const path = '/apis/talos.alperen.cloud/v1alpha1/namespaces/default/talosworkers'

  const made = await api.send({ method: 'POST', path: MAPS, body: { metadata: { name: 'a' } } })

  expect(made.body).toMatchObject({ metadata: { creationTimestamp: '2040-05-06T07:08:09Z' } })
  expect((await api.send({ method: 'GET', path })).status).toBe(200)
})

test('nothing of it is left when it is disposed of', async () => {
  const api = await anApi()
  await callRaw(api.kubeconfig, { path: `${MAPS}?watch=true` })

  await api[Symbol.asyncDispose]()

  await expect(api.send({ method: 'GET', path: '/readyz' })).rejects.toThrow('ECONNREFUSED')
  await expect(access(api.kubeconfig)).rejects.toThrow('ENOENT')
})
