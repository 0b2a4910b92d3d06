import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { type RealKubernetes, startKubernetes } from './real-kubernetes.ts'

const programs = await realPrograms(['etcd', 'kube-apiserver', 'kube-controller-manager'])

const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

const configMap = (name: string, owner?: unknown) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...(owner ? { ownerReferences: [owner] } : {}) },
})

const statusOf = async ({ send }: RealKubernetes, path: string): Promise<number> =>
  (await send({ method: 'GET', path })).status

test('two clusters run side by side and know nothing of each other', async () => {
  await using one = await startKubernetes(programs)
  await using two = await startKubernetes(programs)
  await one.send({ method: 'POST', path: '/api/v1/namespaces', body: namespace('only-here') })

  expect(await statusOf(one, '/api/v1/namespaces/only-here')).toBe(200)
  expect(await statusOf(two, '/api/v1/namespaces/only-here')).toBe(404)
})

test('garbage is collected, and a namespace that is deleted goes away', async () => {
  await using cluster = await startKubernetes(programs)
  const { send } = cluster
  const maps = '/api/v1/namespaces/default/configmaps'
  const { body } = await send({ method: 'POST', path: maps, body: configMap('owner') })
  const { metadata } = body as { metadata: { uid: string } } // the API's words
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }
  await send({ method: 'POST', path: maps, body: configMap('owned', owner) })
  await send({ method: 'POST', path: '/api/v1/namespaces', body: namespace('short-lived') })

  await send({ method: 'DELETE', path: `${maps}/owner` })
  await send({ method: 'DELETE', path: '/api/v1/namespaces/short-lived' })

  const soon = { timeout: 30_000, interval: 100 }
  await expect.poll(() => statusOf(cluster, `${maps}/owned`), soon).toBe(404)
  await expect.poll(() => statusOf(cluster, '/api/v1/namespaces/short-lived'), soon).toBe(404)
})

test('nothing of a cluster is left when it is disposed of', async () => {
  const cluster = await startKubernetes(programs)

  await cluster[Symbol.asyncDispose]()

  await expect(cluster.send({ method: 'GET', path: '/readyz' })).rejects.toThrow('ECONNREFUSED')
  await expect(access(cluster.kubeconfig)).rejects.toThrow('ENOENT')
})

test('a server that cannot start says what it printed', async () => {
  await expect(startKubernetes({ ...programs, etcd: '/bin/false' })).rejects.toThrow(
    'a server did not start',
  )
})
