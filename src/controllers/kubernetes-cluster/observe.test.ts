import { expect, test } from 'vitest'
import { Secret } from '#api/foreign.ts'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { KubeObject } from '#api/meta.ts'
import { looseSecretsDraft } from '#engine/cluster-secrets.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aKubernetesCluster } from '#test/builders.ts'
import { placed, runningWith } from '#test/kubernetes-cluster-parts.ts'
import { allMade } from '#test/kubernetes-cluster-world.ts'
import { CreationTries } from './creation-tries.ts'
import { observe } from './observe.ts'
import type { ResultsFolder } from './results.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const NAME = 'prod-talos-secrets'
const cluster = aKubernetesCluster()
const made = allMade(cluster)

const bundle = await generateBundle({ talosVersion: 'v1.6', now: NOW })
const secret = {
  ...looseSecretsDraft({ name: NAME, labels: {} }, bundle).open(),
  kind: Secret.kind,
}

/** Looks, one after the other, at what is there then, and says what each look has asked the API for. */
function looks(results = aFolder([])) {
  const look = observe({ provided: { results } }, new CreationTries())
  return async (cached: readonly KubeObject[], of: KubernetesCluster = cluster) => {
    const { read, asked } = aReader({ cached })
    const { secrets } = await look(of, read)
    return { asked, secrets: secrets.is }
  }
}

/** A results folder that notes which files are wanted in it. */
const aFolder = (files: string[]): ResultsFolder => ({
  look: async (_owner, wanted) => {
    files.push(...wanted.map(({ name }) => name))
    return { stale: [], surplus: [] }
  },
  ...{ write: async () => undefined, remove: async () => undefined },
})

test('R27: a cluster that waits for its provider asks once for its keys and its name, and then for nothing in any look', async () => {
  const look = looks()

  expect(await look([...made, secret])).toEqual({
    ...{ asked: ['TalosControlPlane prod', `Secret ${NAME}`], secrets: 'there' },
  })
  expect(await look([...made, secret])).toEqual({ asked: [], secrets: 'there' })
})

test('R27: a cluster that runs asks for nothing in a look', async () => {
  const look = looks()
  const { machines, talos } = runningWith(cluster, made)
  const { controlPlane } = talos
  const seen = { ...cluster, status: { observedGeneration: 1 } }
  const all = [
    ...machines,
    ...talos.workers,
    ...talos.machines,
    ...(controlPlane ? [controlPlane] : []),
  ]

  expect((await look(all, seen)).asked).toEqual([])
  expect((await look(all, seen)).asked).toEqual([])
})

test('it asks again when something depends on it: a control plane that may begin, or a Machine that is to go', async () => {
  const look = looks()
  await look([...made, secret])

  expect((await look([...placed(made), secret])).asked).toContain(`Secret ${NAME}`)
  const smaller = aKubernetesCluster({ metadata: { generation: 2 }, spec: { workers: [] } })
  await look([...made.slice(0, 3), secret], smaller)
  expect((await look([...made, secret], smaller)).asked).toContain('TalosControlPlane prod')
})

test('it asks again after an edit, and where somebody has the name of its control plane', async () => {
  const look = looks()
  await look([...made, secret])
  const edited = aKubernetesCluster({ metadata: { generation: 2 } })

  expect((await look([...made, secret], edited)).asked).toContain(`Secret ${NAME}`)
  expect(await look([...made, secret, aControlPlane()])).toMatchObject({
    secrets: 'with the control plane',
  })
})

test('keys that are to be made are looked for in each look', async () => {
  const look = looks()
  await look(made)

  expect(await look(made)).toEqual({
    ...{ asked: ['TalosControlPlane prod', `Secret ${NAME}`], secrets: 'to be made' },
  })
})

test('R29, A33: a Machine of somebody else has no file, which would be written over it by whoever applies that', async () => {
  const files: string[] = []
  const [first, , ...others] = made
  const theirs = first && { ...first, metadata: { ...first.metadata, ownerReferences: [] } }
  await looks(aFolder(files))([...(theirs ? [theirs] : []), ...others, secret])

  expect(files).toEqual([
    ...['prod-cp-1.yaml', 'prod-cp-2.yaml', 'prod-workers-0.yaml', 'prod-workers-1.yaml'],
  ])
})

test('R29: of very many Machines those have a file that are there, or are made now', async () => {
  const files: string[] = []
  const large = aKubernetesCluster({ spec: { workers: [{ name: 'workers', replicas: 200 }] } })
  await looks(aFolder(files))([...allMade(large).slice(0, 10), secret], large)

  expect(files).toHaveLength(10 + 50)
})

test('A11: whom Machines are to belong to has to be known: without a uid nothing is made', async () => {
  const { uid: _, ...metadata } = cluster.metadata

  await expect(looks()([], { ...cluster, metadata })).rejects.toMatchObject({
    code: 'OwnerReferenceError',
  })
})
