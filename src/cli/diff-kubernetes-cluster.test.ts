import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type Kind, VITISTACK_GROUP } from '#api/meta.ts'
import { object } from '#api/schema.ts'
import { toYaml } from '#base/yaml.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { run } from './a-terminal.cases.ts'

const apiVersion = 'vitistack.io/v1alpha1'
const MACHINES = `/apis/${apiVersion}/namespaces/default/machines`
const TOKEN = 'hunter.hunterhunter2222'

const cluster = (name: string, spec: object = {}) => ({
  ...{ apiVersion, kind: 'KubernetesCluster', metadata: { name } },
  spec: {
    ...{ kubernetesVersion: 'v1.35.0', talosVersion: 'v1.13.0' },
    clusterEndpoint: 'https://192.0.2.10:6443',
    controlPlane: { replicas: 1 },
    workers: [{ name: 'pool', replicas: 1 }],
    ...spec,
  },
})

let api: AnApi
let folder: string
beforeAll(async () => {
  api = await anApi({ kinds })
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-diff-shape-'))
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function diff(objects: readonly unknown[], { kubeconfig, ...flags }: Flags = api) {
  const path = join(folder, 'given.yaml')
  await writeFile(path, objects.map(toYaml).join('---\n'))
  const json = flags.isJson ? ['-o', 'json'] : []
  return run('diff', '--kubeconfig', kubeconfig ?? api.kubeconfig, '-f', path, ...json)
}

interface Flags {
  kubeconfig?: string
  isJson?: boolean
}

test('a cluster that is to be shows its Machines, and what they become, in their order', async () => {
  const { out, err, exitCode } = await diff([cluster('new')])

  expect([exitCode, err]).toEqual([1, ''])
  expect(out).toBe(
    [
      'KubernetesCluster default/new is created',
      '',
      'Machine default/new-cp-0 is created',
      'Machine default/new-pool-0 is created',
      '',
      'TalosControlPlane default/new is created',
      '  note: WaitingForAddresses: it is made when all of its Machines have addresses',
      '  1. new-new-cp-0 is added as a control plane, as soon as its provider has given it an address: Talos v1.13.0 is installed on /dev/sda',
      '',
      'TalosWorker default/new-pool is created',
      '  2. new-pool-new-pool-0 is added as a worker, as soon as its provider has given it an address: Talos v1.13.0 is installed on /dev/sda',
      '',
      '2 machines are added; Machines of providers: 2 created\n',
    ].join('\n'),
  )
  expect(await api.send({ method: 'GET', path: MACHINES })).toMatchObject({ body: { items: [] } })
})

test('for programs it is JSON', async () => {
  const { out } = await diff([cluster('new')], { isJson: true })

  expect(JSON.parse(out)).toMatchObject({
    objects: [
      { kind: 'KubernetesCluster', change: 'created' },
      ...[1, 2].map(() => ({ kind: 'Machine', change: 'created' })),
      { kind: 'TalosControlPlane', machines: [{ do: 'add' }] },
      { kind: 'TalosWorker', machines: [{ do: 'add' }] },
    ],
    summary: { added: 2, ordered: { created: 2, changed: 0, removed: 0 } },
  })
  expect(out).not.toContain('"address"')
})

test('a large one is worked out to its end', async () => {
  const workers = [{ name: 'pool', replicas: 230 }]
  const { out, exitCode } = await diff([
    cluster('large', { controlPlane: { replicas: 5 }, workers }),
  ])

  expect(exitCode).toBe(1)
  expect(out).toMatch(/\n235 machines are added; Machines of providers: 235 created\n$/)
})

test.each([
  [{ controlPlane: { replicas: 2 } }, 'spec.controlPlane.replicas is 2: write 1, 3 or 5'],
  [{ talosVersion: 'newest' }, 'spec.talosVersion is "newest": write it like v1.28.3'],
  [
    { talosConfig: { secretRef: { name: 'keys' } } },
    'Secret keys, which spec.talosConfig.secretRef names, is not there',
  ],
])('%j is refused in the words of the operator', async (spec, words) => {
  const { out, exitCode } = await diff([cluster('wrong', spec)])

  expect(exitCode).toBe(2)
  expect(out).toContain(`nothing is done for it: ValidationFailed: ${words}`)
  expect(out).toMatch(/\nno machine changes, 1 object is wrong\n$/)
})

test('a version of Talos that nobody can install gets Machines and no more', async () => {
  const { out, exitCode } = await diff([cluster('old', { talosVersion: 'v0.14.0' })])

  expect(exitCode).toBe(2)
  expect(out).toContain('Machine default/old-cp-0 is created')
  expect(out).toMatch(/something is in its way: MachinesNotReady: .*is none that can be installed/)
  expect(out).not.toContain('TalosControlPlane')
})

test('what the engine refuses of its parts is said there', async () => {
  const { out, exitCode } = await diff([cluster('pair', { kubernetesVersion: 'v1.40.0' })])

  expect(exitCode).toBe(2)
  expect(out).toMatch(/TalosControlPlane default\/pair is created\n.*KubernetesVersionUnsupported/s)
})

test('a Machine of somebody else is in the way, and the others are made', async () => {
  const body = { apiVersion, kind: 'Machine', metadata: { name: 'taken-cp-0' }, spec: {} }
  expect(await api.send({ method: 'POST', path: MACHINES, body })).toMatchObject({ status: 201 })
  const { out, exitCode } = await diff([cluster('taken')])

  expect(exitCode).toBe(2)
  expect(out).toContain(
    'something is in its way: OwnerReferenceFailed: Machine taken-cp-0 is there, and was not made by this cluster',
  )
  expect(out).toContain('Machine default/taken-pool-0 is created')
  expect(out).not.toContain('Machine default/taken-cp-0 is')
})

test('keys in the spec are told of, and not shown', async () => {
  const talosConfig = { machine: { token: TOKEN } }
  const { out, exitCode } = await diff([cluster('open', { talosConfig })])
  const json = await diff([cluster('open', { talosConfig })], { isJson: true })

  expect(exitCode).toBe(1)
  expect(out).toContain('note: SecretsInSpec: spec.talosConfig.machine has token or ca')
  expect(out + json.out).not.toContain('hunter')
})

test('keys that come in the same file are looked at', async () => {
  const talosConfig = { secretRef: { name: 'brought' } }
  const secret = {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'brought' } },
    stringData: { token: TOKEN },
  }
  const { out, exitCode } = await diff([cluster('keyed', { talosConfig }), secret])

  expect(exitCode).toBe(1)
  expect(out).not.toContain('Not looked at')
  expect(out).not.toContain('hunter')
})

test('two clusters at one endpoint are told of each other', async () => {
  const { out } = await diff([cluster('one'), cluster('two')])

  expect(out).toMatch(/EndpointShared: https:\/\/192\.0\.2\.10:6443 is .* of default\/two as well/)
})

test('the kind of another project, where the API has that, is left alone', async () => {
  const spec = object('Anything.', {}, { open: true })
  const theirs: Kind = { ...KubernetesCluster, rules: [], spec }
  const others = kinds.filter((kind) => kind !== KubernetesCluster)
  await using other = await anApi({ kinds: [...others, theirs] })
  const given = { ...cluster('theirs'), spec: { data: { clusterId: 'a' }, topology: {} } }
  const { out, exitCode } = await diff([given], { kubeconfig: other.kubeconfig })

  expect(exitCode).toBe(1)
  expect(out).toMatch(/note: ForeignShape: .*: the operator does nothing of this\n\nno machine/)
})

test('what the operator leaves alone is said to be left alone', async () => {
  const annotations = { 'talos.alperen.cloud/reconcile-mode': 'disable' }
  const { out } = await diff([{ ...cluster('idle'), metadata: { name: 'idle', annotations } }])

  expect(out).toContain('note: ReconcileMode: its reconcile-mode is disable: the operator does')
})

test('where the API does not serve the kind, it says so, and looks at the rest', async () => {
  await using other = await anApi({ kinds: kinds.filter(({ group }) => group !== VITISTACK_GROUP) })
  const { out, exitCode } = await diff([cluster('new')], { kubeconfig: other.kubeconfig })

  expect(exitCode).toBe(2)
  expect(out).toContain('KubernetesCluster default/new is refused\n')
})
