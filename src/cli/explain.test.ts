import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { kinds } from '#api/kinds.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { systemClock } from '#base/clock.ts'
import type { ApiAccess } from '#kube/access.ts'
import type { Explained } from '#runtime/explain.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { quietLog } from '#test/quiet-log.ts'
import { run } from './a-terminal.cases.ts'
import { AwaitedNodes } from './explain-nodes.ts'
import { targetOf } from './explain-target.ts'
import { explainJson, explainText } from './explain-text.ts'

const CLUSTERS = '/apis/talos.alperen.cloud/v1alpha1/namespaces/default/talosclusters'
const SHAPES = '/apis/vitistack.io/v1alpha1/namespaces/default/kubernetesclusters'
const MACHINES = '/apis/talos.alperen.cloud/v1alpha1/namespaces/default/talosmachines'

let api: AnApi
beforeAll(async () => {
  api = await anApi({ kinds })
  const pool = { version: 'v1.13.0', kubeVersion: 'v1.35.0', mode: 'metal' }
  await make(CLUSTERS, {
    kind: 'TalosCluster',
    metadata: { name: 'prod' },
    spec: {
      controlPlane: {
        ...pool,
        endpoint: 'https://192.0.2.1:6443',
        metalSpec: { machines: [{ address: '192.0.2.1' }] },
      },
    },
  })
  await make(MACHINES, {
    kind: 'TalosMachine',
    metadata: { name: 'lost' },
    spec: { endpoint: '192.0.2.9', version: 'v1.13.0', controlPlaneRef: { name: 'nowhere' } },
  })
})
afterAll(() => api[Symbol.asyncDispose]())

async function make(path: string, object: object): Promise<void> {
  const body = { apiVersion: 'talos.alperen.cloud/v1alpha1', ...object }
  expect(await api.send({ method: 'POST', path, body })).toMatchObject({ status: 201 })
}

const explain = (...args: string[]) => run('explain', '--kubeconfig', api.kubeconfig, ...args)

test('says what would be done for an object and why not more, and does nothing', async () => {
  const { out, err, exitCode } = await explain('tc/prod')

  expect([exitCode, err]).toEqual([0, ''])
  expect(out).toMatch(/^TalosCluster default\/prod\n\nWhat is next:\n {2}1\. create .*prod\n/)
  expect(out).toMatch(/\nWhy not more:\n {2}Applying: .*\n {2}what follows is decided when/)
  const { body } = await api.send({ method: 'GET', path: `${CLUSTERS}/prod` })
  expect(body).not.toHaveProperty('status')
})

test('for programs it is JSON', async () => {
  const { out } = await explain('talosmachines/lost', '-o', 'json')

  expect(JSON.parse(out)).toMatchObject({
    ...{ kind: 'TalosMachine', namespace: 'default', name: 'lost', mode: 'reconcile', steps: [] },
    conditions: { Ready: { ok: false, reason: 'ParentMissing' } },
  })
})

test.each([
  [['tc/nope'], 'there is no TalosCluster nope in the namespace default'],
  [['tc/prod', '-n', 'other'], 'there is no TalosCluster prod in the namespace other'],
  [['tc/prod', '-o', 'yaml'], 'Allowed choices are text, json'],
  [['tc/prod', '--context', 'nope'], 'has no context "nope"'],
  [['prod'], '"prod" names no object'],
  [['pods/prod'], 'there is no kind "pods" of ours'],
])('%j is refused: %s', async (args, reason) => {
  const { out, err, exitCode } = await explain(...args)

  expect([exitCode, out]).toEqual([1, ''])
  expect(err).toContain(reason)
})

test.each([
  'tcp/a',
  'TalosControlPlane/a',
  'taloscontrolplane/a',
  'taloscontrolplanes/a',
  'taloscontrolplanes.talos.alperen.cloud/a',
])('%s is an object', (text) => {
  expect(targetOf(text)).toEqual({ kind: ControlPlane, name: 'a' })
})

test.each(['kc/a', 'kubernetescluster/a', 'kubernetesclusters.vitistack.io/a'])(
  '%s is a KubernetesCluster',
  (text) => {
    expect(targetOf(text)).toEqual({ kind: KubernetesCluster, name: 'a' })
  },
)

describe('of a KubernetesCluster', () => {
  const shape = (name: string, replicas: number) =>
    make(SHAPES, {
      ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'KubernetesCluster', metadata: { name } },
      spec: {
        ...{ kubernetesVersion: 'v1.35.0', talosVersion: 'v1.13.0' },
        ...{ clusterEndpoint: 'https://192.0.2.1:6443', controlPlane: { replicas } },
      },
    })

  test('it says what is next, and that what follows is decided then', async () => {
    await shape('shaped', 1)
    const { out, err, exitCode } = await explain('kubernetescluster/shaped')
    const [, at = ''] =
      /\n {2}it is looked at again at (\S+), or when something changes/.exec(out) ?? []

    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toContain('What is next:\n  1. create Machine shaped-cp-0\n  2. make the keys')
    expect(out).toContain('Why not more:\n  MachinesNotReady: shaped-cp-0: made just now\n')
    expect(Date.parse(at)).toBeGreaterThan(Date.now() + 10_000)
  })

  test('it says what is wrong with its spec', async () => {
    await shape('wrong', 2)
    const { out, exitCode } = await explain('kc/wrong')

    expect(exitCode).toBe(0)
    expect(out).toContain('What is next:\n  nothing\n')
    expect(out).toMatch(/Why not more:\n {2}ValidationFailed: spec\.controlPlane\.replicas is 2/)
  })
})

test('a kind that nothing is done for yet is said to be one', () => {
  expect(() => targetOf('talosetcdbackups/a')).toThrow('does nothing for a TalosEtcdBackup yet')
})

const NOTHING: Explained = {
  ...{ mode: 'reconcile', isLeaving: false, finished: false },
  ...{ steps: [], conditions: {}, notices: [] },
}
const ready = { ok: true, reason: 'AsWanted', message: 'all is well' }
const textOf = (change: Partial<Explained>): string =>
  explainText({ kind: 'K', namespace: 'n', name: 'x', explained: { ...NOTHING, ...change } })

test('what is as it should be is said to be so, with when it is looked at again', () => {
  const wakeAt = new Date('2030-01-01T00:00:00Z')

  expect(textOf({ conditions: { Ready: ready }, wakeAt })).toBe(
    [
      'K n/x',
      '',
      'What is next:',
      '  nothing',
      '',
      'Why not more:',
      '  it is as it should be',
      '  it is looked at again at 2030-01-01T00:00:00.000Z, or when something changes',
      '',
      'What its conditions would be:',
      '  Ready True (AsWanted): all is well',
      '',
    ].join('\n'),
  )
})

test('what is disabled, or a rehearsal, is said to be so', () => {
  const steps = [{ step: 'wipe', message: 'wipe it' }]

  expect(textOf({ mode: 'disable' })).toContain('nothing: its reconcile-mode is disable')
  expect(textOf({ mode: 'disable', modeFrom: 'TalosCluster one' })).toContain(
    'nothing: the reconcile-mode of TalosCluster one is disable',
  )
  expect(textOf({ mode: 'dryrun', steps })).toContain('1. wipe it\n  None of it is done')
})

test('of what is being deleted it is said what it waits for', () => {
  const Deleting = { ok: true, reason: 'Wiping', message: 'machine a is wiped' }

  expect(textOf({ isLeaving: true, conditions: { Deleting } })).toContain(
    'Why not more:\n  Wiping: machine a is wiped\n',
  )
  expect(textOf({ isLeaving: true, finished: true })).toContain('nothing of ours keeps it')
})

test('notices are told, and JSON has everything', () => {
  const notices = [{ type: 'Warning' as const, reason: 'Even', message: 'two of them' }]
  const object = { kind: 'K', namespace: 'n', name: 'x', explained: { ...NOTHING, notices } }

  expect(textOf({ notices })).toContain('To note:\n  Even: two of them\n')
  expect(JSON.parse(explainJson(object))).toMatchObject({ kind: 'K', name: 'x', notices })
})

const access = (): ApiAccess => ({
  ...{ origin: 'a test', namespace: 'default', credentials: async () => ({}) },
  ...{ server: new URL('https://127.79.9.9:1'), skipVerify: false },
})
const { signal } = new AbortController()

test('clusters that are looked at are waited for until they answer or fail to', async () => {
  const clock = systemClock
  const nodes = new AwaitedNodes({ clock, log: quietLog(), userAgent: 'tests' })
  await nodes.whenSeen({ clock: new FakeClock(), withinMs: 1_000, signal })
  nodes.follow('default/prod', { identity: 'x', access: access() })
  await nodes.whenSeen({ clock: new FakeClock(), withinMs: 1_000, signal })

  expect(nodes.seen('default/prod').api.is).toBe('silent')
  await nodes.close()
})

test('and no longer than they may take', async () => {
  const [standing, waiting] = [new FakeClock(), new FakeClock()]
  const nodes = new AwaitedNodes({ clock: standing, log: quietLog(), userAgent: 'tests' })
  const hangs = { ...access(), credentials: () => new Promise<never>(() => {}) }
  nodes.follow('default/prod', { identity: 'x', access: hangs })
  const seen = nodes.whenSeen({ clock: waiting, withinMs: 1_000, signal })
  await waiting.advance(1_000)
  await seen

  expect(nodes.seen('default/prod').api.is).toBe('connecting')
  expect(waiting.waiting).toBe(0)
})
