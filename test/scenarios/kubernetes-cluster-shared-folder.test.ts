import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
afterEach(() => world[Symbol.asyncDispose]())

const apply = (name: string) =>
  world.objects.apply({
    ...{ apiVersion: apiVersionOf(KubernetesCluster), kind: KubernetesCluster.kind },
    metadata: { name },
    spec: {
      ...{ kubernetesVersion: 'v1.29.7', talosVersion: 'v1.6.7' },
      ...{ clusterEndpoint: `https://${name}.example.com`, controlPlane: { replicas: 1 } },
    },
  })

/** Puts a file into the results folder, as somebody else would. */
async function put(folder: string, file: string, text: string): Promise<void> {
  await mkdir(join(world.resultsFolder, folder), { recursive: true })
  await writeFile(join(world.resultsFolder, folder, file), text)
}

const textsIn = async (folder: string) => {
  const at = join(world.resultsFolder, folder)
  const names = (await readdir(at)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(at, name), 'utf8')))
  return Object.fromEntries(names.map((name, index) => [name, texts[index]]))
}

const MARKER = '.talos-operator.json'
/** As an operator of another namespace leaves it. */
const theirs = {
  [MARKER]: JSON.stringify({
    ...{ namespace: 'elsewhere', name: 'taken', uid: 'theirs', files: ['taken-cp-0.yaml'] },
  }),
  'taken-cp-0.yaml': 'of the cluster elsewhere\n',
}

test('A16: with WATCH_NAMESPACE, what operators of other namespaces and other people have in the results folder stays theirs', {
  timeout: LONG,
}, async () => {
  world = await aWorld({
    ...{ subnet: '127.80.83', machines: 0, env: { WATCH_NAMESPACE: 'default' } },
  })
  for (const [file, text] of Object.entries(theirs)) await put('taken', file, text)
  await put('mine', 'notes.txt', 'of somebody\n')
  await put('no-cluster-of-ours', 'notes.txt', 'of somebody\n')

  await apply('taken')
  await apply('mine')
  const why = await untilSays(world, [KubernetesCluster, 'taken'], {
    ...{ type: 'FilesGenerated', reason: 'GenerationFailed' },
  })
  await untilSays(world, [KubernetesCluster, 'mine'], {
    ...{ type: 'FilesGenerated', reason: 'GenerationSucceeded' },
  })
  await world.objects.patchStatus(ProvidedMachine, 'taken-cp-0', { phase: 'Running' })
  await untilSays(world, [KubernetesCluster, 'taken'], { type: 'Ready', reason: 'ClusterReady' })
  await world.pass(10)

  expect(why).toContain('has the files of KubernetesCluster elsewhere/taken')
  expect(await textsIn('taken')).toEqual(theirs)
  expect(Object.keys(await textsIn('mine'))).toEqual([MARKER, 'mine-cp-0.yaml', 'notes.txt'])

  for (const name of ['taken', 'mine']) {
    await world.objects.remove(KubernetesCluster, name)
    await world.until(`${name} to be gone`, async () => {
      return (await world.objects.find(KubernetesCluster, name)) === undefined
    })
  }
  expect(await textsIn('taken')).toEqual(theirs)
  expect(await textsIn('mine')).toEqual({ 'notes.txt': 'of somebody\n' })
  expect(await textsIn('no-cluster-of-ours')).toEqual({ 'notes.txt': 'of somebody\n' })
})

test('with WATCH_NAMESPACE, clusters of other namespaces are nobody’s business: no Machine, no file, no word', {
  timeout: LONG,
}, async () => {
  world = await aWorld({
    ...{ subnet: '127.80.83', machines: 0, env: { WATCH_NAMESPACE: 'elsewhere' } },
  })
  await apply('unwatched')
  await world.pass(10)

  expect(await world.objects.list(ProvidedMachine)).toEqual([])
  expect(await readdir(world.resultsFolder).catch(() => [])).toEqual([])
  const ready = await conditionOf(world, [KubernetesCluster, 'unwatched'], 'Ready')
  expect(ready).toBeUndefined()
})
