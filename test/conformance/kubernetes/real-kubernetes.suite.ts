import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { availablePrograms, realPrograms } from '#test/conformance/programs/build.ts'
import { type RealKubernetes, startKubernetes } from './real-kubernetes.ts'

const programs = {
  ...(await realPrograms(['etcd', 'kube-apiserver'])),
  ...(await availablePrograms(['kube-controller-manager'])),
}

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
  const controllers = await realPrograms(['kube-controller-manager'])
  await using cluster = await startKubernetes({ ...programs, ...controllers })
  const { send } = cluster
  const maps = '/api/v1/namespaces/default/configmaps'
  const { body } = await send({ method: 'POST', path: maps, body: configMap('owner') })
  const { metadata } = body as { metadata: { uid: string } } // the API's words
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }
  await send({ method: 'POST', path: maps, body: configMap('owned', owner) })
  await send({ method: 'POST', path: '/api/v1/namespaces', body: namespace('short-lived') })

  await send({ method: 'DELETE', path: `${maps}/owner` })
  await send({ method: 'DELETE', path: '/api/v1/namespaces/short-lived' })

  const soon = { timeout: 60_000, interval: 100 }
  await expect.poll(() => statusOf(cluster, `${maps}/owned`), soon).toBe(404)
  await expect.poll(() => statusOf(cluster, '/api/v1/namespaces/short-lived'), soon).toBe(404)
})

test('nothing of a cluster is left when it is disposed of', async () => {
  const cluster = await startKubernetes(programs)
  const folder = dirname(cluster.kubeconfig)
  expect(cluster.groups.map(isAlive)).toEqual(Object.keys(programs).map(() => true))
  expect(await readdir(tmpdir())).toContain(basename(folder))

  await cluster[Symbol.asyncDispose]()

  await expect(cluster.send({ method: 'GET', path: '/readyz' })).rejects.toThrow('ECONNREFUSED')
  expect(await readdir(tmpdir())).not.toContain(basename(folder))
  // The watchers take a nap of five seconds before they go.
  await expect.poll(() => cluster.groups.some(isAlive), { timeout: 60_000 }).toBe(false)
})

test.each(['etcd', 'kube-apiserver', 'kube-controller-manager'])(
  '%s that cannot start says what it printed',
  async (name) => {
    const broken = await aBrokenProgram('my disk is full')

    await expect(startKubernetes({ ...programs, [name]: broken })).rejects.toThrow(
      'a server did not start:\nmy disk is full',
    )
  },
)

async function aBrokenProgram(sentence: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-broken-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const program = join(folder, 'broken')
  await writeFile(program, `#!/bin/sh\necho '${sentence}' >&2\nexit 1\n`)
  await chmod(program, 0o755)
  return program
}

function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}
