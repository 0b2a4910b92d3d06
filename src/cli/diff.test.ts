import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { toYaml } from '#base/yaml.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { kubeconfigFor } from '#test/misbehaving/admin-kubeconfig.ts'
import { run } from './a-terminal.cases.ts'

const apiVersion = 'talos.alperen.cloud/v1alpha1'
const CONTROL_PLANES = `/apis/${apiVersion}/namespaces/default/taloscontrolplanes`
const NOTE = 'kubectl.kubernetes.io/last-applied-configuration'

const controlPlane = (name: string, spec: object = {}) => ({
  ...{ apiVersion, kind: 'TalosControlPlane', metadata: { name } },
  spec: {
    ...{ version: 'v1.13.0', kubeVersion: 'v1.35.0', mode: 'metal' },
    endpoint: 'https://192.0.2.10:6443',
    metalSpec: { machines: [{ address: '192.0.2.1' }] },
    ...spec,
  },
})

let api: AnApi
let folder: string
beforeAll(async () => {
  api = await anApi({ kinds })
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-diff-'))
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Has kubectl apply an object, as it does unless it is told otherwise. */
async function applied(object: ReturnType<typeof controlPlane>): Promise<void> {
  const annotations = {
    [NOTE]: JSON.stringify({ ...object, metadata: { ...object.metadata, annotations: {} } }),
  }
  const body = { ...object, metadata: { ...object.metadata, annotations } }
  expect(await api.send({ method: 'POST', path: CONTROL_PLANES, body })).toMatchObject({
    status: 201,
  })
}

async function diff(objects: readonly unknown[], ...flags: string[]) {
  const path = join(folder, 'given.yaml')
  await writeFile(path, objects.map(toYaml).join('---\n'))
  return run('diff', '--kubeconfig', api.kubeconfig, '-f', path, ...flags)
}

test('a control plane that is to be is added, and not made', async () => {
  const { out, err, exitCode } = await diff([controlPlane('new')])

  expect([exitCode, err]).toEqual([1, ''])
  expect(out).toBe(
    [
      'TalosControlPlane default/new is created',
      '  1. new-192.0.2.1 at 192.0.2.1 is added as a control plane: Talos v1.13.0 is installed on a disk that is picked when it answers',
      '',
      '1 machine is added\n',
    ].join('\n'),
  )
  expect(await api.send({ method: 'GET', path: `${CONTROL_PLANES}/new` })).toMatchObject({
    status: 404,
  })
})

test('for programs it is JSON', async () => {
  const { out, exitCode } = await diff([controlPlane('new')], '-o', 'json')

  expect(exitCode).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    objects: [{ kind: 'TalosControlPlane', change: 'created', machines: [{ do: 'add' }] }],
    ...{ refused: [], notLookedAt: [], summary: { added: 1, changed: 0 } },
  })
})

test('what kubectl applied and the file does not say any more goes', async () => {
  await applied(controlPlane('kept', { podCIDR: ['10.9.0.0/16'] }))
  const same = await diff([controlPlane('kept', { podCIDR: ['10.9.0.0/16'] })])
  const less = await diff([controlPlane('kept')])

  expect(same).toMatchObject({ exitCode: 0, err: '' })
  expect(same.out).toMatch(/stays as it is\n {2}note: AlreadyUnderWay: .*: kept-192\.0\.2\.1\n/)
  expect(less.exitCode).toBe(1)
  expect(less.out).toContain('TalosControlPlane default/kept changes: spec.podCIDR\n')
})

test('a field that there is none of is refused, also by whom kubectl applied', async () => {
  await applied(controlPlane('misspelt'))
  const { out, exitCode } = await diff([controlPlane('misspelt', { podCidr: ['10.9.0.0/16'] })])

  expect(exitCode).toBe(2)
  expect(out).toContain('TalosControlPlane default/misspelt is refused\n')
  expect(out).toContain('unknown field "spec.podCidr"')
})

test.each([
  ['is new', 'old'],
  ['is there', 'older'],
])('the old form of machines is answered with the right one for what %s', async (is, name) => {
  if (is === 'is there') await applied(controlPlane(name))
  const old = controlPlane(name, { metalSpec: { machines: ['192.0.2.1', '192.0.2.2'] } })
  const { out, err, exitCode } = await diff([old])

  expect([exitCode, err]).toEqual([2, ''])
  expect(out).toContain('spec.metalSpec.machines: an entry is an object, and not a bare address')
  expect(out).toContain('  machines:\n    - address: 192.0.2.1\n    - address: 192.0.2.2\n')
})

test('a password in what has the wrong shape is not repeated', async () => {
  const metalSpec = {
    machines: [{ address: '192.0.2.1' }],
    machineSpec: 'password: hunter2-hunter2',
  }
  const { out, exitCode } = await diff([controlPlane('wrong', { metalSpec })])

  expect(exitCode).toBe(2)
  expect(out).toContain('spec.metalSpec.machineSpec')
  expect(out).not.toContain('hunter2')
})

test('a configuration that is given along is looked at', async () => {
  const configRef = { name: 'given', key: 'all' }
  const given = {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'given' } },
    data: { all: 'no configuration' },
  }
  const missing = await diff([controlPlane('new', { configRef })])
  const wrong = await diff([controlPlane('new', { configRef }), given])

  expect(missing.out).toContain('nothing is done for it: ConfigRefMissing')
  expect(wrong.out).toContain('nothing is done for it: SecretsUnusable')
  expect(wrong.out).not.toContain('Not looked at')
  expect([missing.exitCode, wrong.exitCode]).toEqual([2, 2])
})

test('an address that another object knows is asked for', async () => {
  const path = '/api/v1/namespaces/default/configmaps'
  const body = { metadata: { name: 'rack-1' }, data: { ip: '192.0.2.7' } }
  expect(await api.send({ method: 'POST', path, body })).toMatchObject({ status: 201 })
  const entry = (name: string) => ({
    machineRef: { apiVersion: 'v1', kind: 'ConfigMap', name, fieldPath: '.data.ip' },
  })
  const machines = [entry('rack-1'), entry('rack-2')]
  const { out } = await diff([controlPlane('new', { metalSpec: { machines } })])

  expect(out).toContain('1. new-rack-1 at 192.0.2.7 is added')
  expect(out).toContain('note: WaitingForAddress: machineRef to ConfigMap rack-2')
})

test('what the operator leaves alone is said to be left alone', async () => {
  const { metadata, ...rest } = controlPlane('idle')
  const annotations = { 'talos.alperen.cloud/reconcile-mode': 'disable' }
  const { out } = await diff([{ ...rest, metadata: { ...metadata, annotations } }])

  expect(out).toContain('note: ReconcileMode: its reconcile-mode is disable: the operator does')
})

test('workers need a control plane, which may come with them', async () => {
  const { spec } = controlPlane('any', { metalSpec: { machines: [{ address: '192.0.2.2' }] } })
  const { endpoint: _, ...pool } = spec
  const worker = {
    ...{ apiVersion, kind: 'TalosWorker', metadata: { name: 'pool' } },
    spec: { ...pool, controlPlaneRef: { name: 'new' } },
  }
  const alone = await diff([worker])
  const both = await diff([worker, controlPlane('new')])

  expect(alone.out).toContain('nothing is done for it: ControlPlaneNotFound')
  expect(both.out).toMatch(
    /1\. new-192\.0\.2\.1 .*2\. pool-192\.0\.2\.2 \S+ \S+ is added as a worker/s,
  )
  expect([alone.exitCode, both.exitCode]).toEqual([2, 1])
})

test('an API that does not answer is an error', async () => {
  const path = join(folder, 'nowhere')
  const { ca, admin } = api
  await writeFile(path, kubeconfigFor({ server: 'https://127.79.9.9:1', ca, ...admin }))
  const { out, err, exitCode } = await diff([controlPlane('new')], '--kubeconfig', path)

  expect([exitCode, out]).toEqual([2, ''])
  expect(err).toContain('the API server 127.79.9.9:1 gave no answer')
})

test.each([
  [['-n', 'other'], [{ ...controlPlane('a'), metadata: { name: 'a', namespace: 'b' } }], 'names'],
  [[], [controlPlane('a'), controlPlane('a')], 'TalosControlPlane a is there twice'],
  [[], [{ kind: 'TalosControlPlane' }], 'document 1 is no object'],
  [['--context', 'nope'], [controlPlane('a')], 'has no context "nope"'],
  [['-o', 'yaml'], [controlPlane('a')], 'Allowed choices are text, json'],
])('%j is an error, and no change', async (flags, objects, reason) => {
  const { out, err, exitCode } = await diff(objects, ...flags)

  expect([exitCode, out]).toEqual([2, ''])
  expect(err).toContain(reason)
})

test('without a file it says what is missing', async () => {
  const { err, exitCode } = await run('diff')

  expect(exitCode).toBe(2)
  expect(err).toContain("required option '-f, --filename <file>' not specified")
})
