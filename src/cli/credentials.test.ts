import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { run } from './a-terminal.cases.ts'

const TALOS = '/apis/talos.alperen.cloud/v1alpha1/namespaces/default'
const SECRETS = '/api/v1/namespaces/default/secrets'

let api: AnApi
let folder: string
beforeAll(async () => {
  api = await anApi({ kinds })
  folder = await mkdtemp(join(tmpdir(), 'talos operator credentials-'))
  const uid = await make('TalosCluster', 'talosclusters', { name: 'main' })
  const apiVersion = 'talos.alperen.cloud/v1alpha1'
  const owner = { apiVersion, kind: 'TalosCluster', name: 'main', uid }
  await make('TalosControlPlane', 'taloscontrolplanes', { name: 'a', ownerReferences: [owner] })
  await make('TalosControlPlane', 'taloscontrolplanes', { name: 'early' })
  await make('TalosCluster', 'talosclusters', { name: 'empty' })
  const waiting = {
    type: 'Ready',
    status: 'False',
    reason: 'Waiting',
    message: 'its machines boot',
  }
  const conditions = [{ ...waiting, lastTransitionTime: '2030-01-01T00:00:00Z' }]
  const patched = await api.send({
    ...{ method: 'PATCH', path: `${TALOS}/taloscontrolplanes/early/status` },
    ...{ body: { status: { conditions } }, contentType: 'application/merge-patch+json' },
  })
  expect(patched).toMatchObject({ status: 200 })
  await secret('main-kubeconfig', { kubeconfig: 'kind: Config\n' })
  await secret('main-talosconfig', { 'a.talosconfig': 'context: a\n' })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function make(kind: string, plural: string, metadata: object): Promise<string> {
  const body = { apiVersion: 'talos.alperen.cloud/v1alpha1', kind, metadata }
  const made = await api.send({ method: 'POST', path: `${TALOS}/${plural}`, body })
  expect(made).toMatchObject({ status: 201 })
  return (made.body as { metadata: { uid: string } }).metadata.uid // what is made has a uid
}

const secret = (name: string, stringData: Record<string, string>) =>
  api.send({
    ...{ method: 'POST', path: SECRETS },
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData },
  })

const asked = (command: string, ...args: string[]) =>
  run(command, '--kubeconfig', api.kubeconfig, ...args)

test.each([
  ['kubeconfig', 'kind: Config\n'],
  ['talosconfig', 'context: a\n'],
])('%s is printed, by the name of the cluster and of its control plane', async (command, text) => {
  const printed = { out: text, err: '', exitCode: 0 }

  expect(await asked(command, 'main')).toEqual(printed)
  expect(await asked(command, 'a')).toEqual(printed)
  expect(await asked(command, 'a', '-o', '-')).toEqual(printed)
})

test('a file is for its owner alone, and is not overwritten unless told', async () => {
  const path = join(folder, 'kubeconfig')

  expect(await asked('kubeconfig', 'main', '-o', path)).toEqual({ out: '', err: '', exitCode: 0 })
  expect(await readFile(path, 'utf8')).toBe('kind: Config\n')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const again = await asked('kubeconfig', 'main', '-o', path)
  expect([again.exitCode, again.err]).toEqual([1, expect.stringContaining('already exists')])
  const forced = await asked('kubeconfig', 'main', '-o', path, '--force')
  expect(forced.exitCode).toBe(0)
})

test('what is not there yet is said with what the control plane waits for', async () => {
  const { out, err, exitCode } = await asked('kubeconfig', 'early')

  expect([exitCode, out]).toEqual([1, ''])
  expect(err).toContain('the kubeconfig of TalosControlPlane early is not there yet')
  expect(err).toContain('why: its machines boot')
})

test('a cluster whose control plane is not made yet is told from one that is not there', async () => {
  const early = await asked('talosconfig', 'empty')
  const none = await asked('talosconfig', 'main', '-n', 'other')

  expect(early.err).toContain('the TalosCluster empty has no TalosControlPlane yet')
  expect(none.err).toContain(
    'there is no TalosControlPlane, TalosCluster or KubernetesCluster main in the namespace other',
  )
  expect([early.exitCode, none.exitCode]).toEqual([1, 1])
})

test('a cluster by its shape has those of its control plane, whatever that is called', async () => {
  const apiVersion = 'vitistack.io/v1alpha1'
  const path = `/apis/${apiVersion}/namespaces/default/kubernetesclusters`
  const body = { apiVersion, kind: 'KubernetesCluster', metadata: { name: 'shaped' } }
  const made = await api.send({ method: 'POST', path, body })
  const early = await asked('kubeconfig', 'shaped')
  const { uid } = (made.body as { metadata: { uid: string } }).metadata // what is made has a uid
  const owner = { ...{ apiVersion, kind: 'KubernetesCluster' }, name: 'shaped', uid }
  await make('TalosControlPlane', 'taloscontrolplanes', { name: 'b', ownerReferences: [owner] })
  await secret('b-kubeconfig', { kubeconfig: 'kind: Config\n' })

  expect(early.err).toContain('the KubernetesCluster shaped has no TalosControlPlane yet')
  expect(early.err).toContain('talos-operator explain kubernetescluster/shaped -n default')
  expect(await asked('kubeconfig', 'shaped')).toMatchObject({ out: 'kind: Config\n', exitCode: 0 })
})

test('--help has an example of each', async () => {
  const { out: kubeconfig } = await run('kubeconfig', '--help')
  const { out: talosconfig } = await run('talosconfig', '--help')

  expect(kubeconfig).toContain('talos-operator kubeconfig demo -o demo.kubeconfig')
  expect(talosconfig).toContain('talosctl --talosconfig demo.talosconfig')
})
