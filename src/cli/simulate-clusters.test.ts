import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { parseYamlDocuments } from '#base/yaml.ts'
import { addressesFrom } from './simulate-addresses.ts'
import { clusterManifests, machinesFor, shapeOf, writeManifests } from './simulate-clusters.ts'

const around = (count: number) => ({
  addresses: addressesFrom('127.50.0.1', count),
  talosVersion: 'v1.13.0',
  kubernetesPort: 6443,
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-clusters-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('each cluster has machines of its own, and its API at the first of them', () => {
  const flags = { clusters: 2, shape: shapeOf('1+2') }

  expect(machinesFor(flags)).toBe(6)
  expect(parseYamlDocuments(clusterManifests(flags, around(6)))).toMatchObject([
    {
      ...{ apiVersion: 'talos.alperen.cloud/v1alpha1', kind: Cluster.kind },
      metadata: { name: 'cluster-1' },
      spec: {
        controlPlane: {
          ...{ version: 'v1.13.0', mode: 'metal', endpoint: 'https://127.50.0.1:6443' },
          metalSpec: { machines: [{ address: '127.50.0.1' }] },
        },
        worker: { metalSpec: { machines: [{ address: '127.50.0.2' }, { address: '127.50.0.3' }] } },
      },
    },
    {
      metadata: { name: 'cluster-2' },
      spec: { controlPlane: { endpoint: 'https://127.50.0.4:6443' } },
    },
  ])
})

test('names are as long as each other, and there is no pool where there are no workers', () => {
  const [first, ...rest] = parseYamlDocuments(
    clusterManifests({ clusters: 10, shape: shapeOf('3+0') }, around(30)),
  )

  expect(first).toMatchObject({ metadata: { name: 'cluster-01' } })
  expect(rest).toHaveLength(9)
  expect(first).not.toHaveProperty('spec.worker')
})

test('the file is written again by the next run, whatever its flags', async () => {
  const manifests = join(folder, 'many.yaml')
  await writeManifests({ clusters: 2, manifests }, around(6))
  await writeManifests({ clusters: 1, manifests }, around(3))

  expect(parseYamlDocuments(await readFile(manifests, 'utf8'))).toHaveLength(1)
})

test('a file of somebody else stays as it is', async () => {
  const manifests = join(folder, 'mine.yaml')
  await writeFile(manifests, 'kind: Mine\n')

  await expect(writeManifests({ clusters: 1, manifests }, around(3))).rejects.toThrow(
    'this command did not write it',
  )
  expect(await readFile(manifests, 'utf8')).toBe('kind: Mine\n')
})
