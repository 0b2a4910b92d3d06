import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ConfigMap, Node, Secret } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { DeclaredReader } from './reader.ts'
import { Watches } from './watches.ts'

let api: MisbehavingApi
let client: KubeClient
let watches: Watches
beforeAll(async () => {
  api = await startMisbehaving(() => anApi({ kinds: [Machine] }))
  client = await clientOf(api)
  watches = new Watches({ client, clock: systemClock, namespaces: [] }, [])
  for (const namespace of ['default', 'kube-system']) {
    await client.create(ConfigMap, {
      metadata: { namespace, name: `of-${namespace}` },
      data: { address: '10.0.0.1' },
    })
    await client.create(Secret, { metadata: { namespace, name: 'keys' } })
  }
  await client.create(Node, { metadata: { name: 'n1' } })
  const spec = { endpoint: '10.0.0.1', version: 'v1.11.0' }
  await client.create(Machine, { metadata: { namespace: 'default', name: 'm1' }, spec })
})
beforeEach(() => {
  api.log.length = 0
})
afterAll(async () => {
  client.close()
  await api[Symbol.asyncDispose]()
})

const aReader = (any = true) =>
  new DeclaredReader({
    ...{ watches, client, namespace: 'default' },
    reach: { cached: new Set(), live: new Set(), any },
    signal: new AbortController().signal,
  })

const aConfigMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name })

test.each([
  ['of a built-in kind', aConfigMap('of-default'), { data: { address: '10.0.0.1' } }],
  ['of a kind in no namespace', { apiVersion: 'v1', kind: 'Node', name: 'n1' }, { kind: 'Node' }],
  [
    'of a custom kind',
    { apiVersion: 'talos.alperen.cloud/v1alpha1', kind: 'TalosMachine', name: 'm1' },
    { spec: { endpoint: '10.0.0.1' } },
  ],
])('an object %s is found as it is on the server', async (_, ref, object) => {
  expect(await aReader().fetchAny(ref)).toMatchObject({
    is: 'found',
    object: { metadata: { name: ref.name }, ...object },
  })
})

test('one of another namespace is as absent as one that is nowhere', async () => {
  expect(await aReader().fetchAny(aConfigMap('of-kube-system'))).toEqual({ is: 'absent' })
  expect(await aReader().fetchAny(aConfigMap('nowhere'))).toEqual({ is: 'absent' })
})

test('a kind that the API does not serve is told from an object that is not there', async () => {
  const refs = [
    { apiVersion: 'v1', kind: 'Vm', name: 'a' },
    { apiVersion: 'metal.example/v1', kind: 'Vm', name: 'a' },
    { apiVersion: '../v1', kind: 'Vm', name: 'a' },
    // Can be asked, and not be read.
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', name: 'a' },
  ]

  const found = await Promise.all(refs.map((ref) => aReader().fetchAny(ref)))

  expect(found).toEqual(refs.map(() => ({ is: 'noSuchKind' })))
})

test('a kind that is taken away after it was seen is a kind that is not served', async () => {
  await aReader().fetchAny(aConfigMap('of-default'))
  const gone = api.faults.answer({ status: 404, match: (_, path) => path.endsWith('/of-default') })

  expect(await aReader().fetchAny(aConfigMap('of-default'))).toEqual({ is: 'noSuchKind' })
  gone()
})

test('where we may not read, the rule that is missing is told', async () => {
  const off = api.faults.answer({
    status: 403,
    match: (_, path) => /(of-default|machines\/m1|nodes\/n1)$/.test(path),
  })
  const machine = { apiVersion: 'talos.alperen.cloud/v1alpha1', kind: 'TalosMachine', name: 'm1' }

  expect(await aReader().fetchAny(aConfigMap('of-default'))).toEqual({
    is: 'forbidden',
    rule: '{apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"]}',
    role: 'Role',
  })
  expect(await aReader().fetchAny(machine)).toEqual({
    is: 'forbidden',
    rule: '{apiGroups: ["talos.alperen.cloud"], resources: ["talosmachines"], verbs: ["get", "list", "watch"]}',
    role: 'Role',
  })
  expect(await aReader().fetchAny({ apiVersion: 'v1', kind: 'Node', name: 'n1' })).toMatchObject({
    is: 'forbidden',
    role: 'ClusterRole',
  })
  off()
})

test('no Secret is read for who names it, and nobody is asked for it', async () => {
  const found = await aReader().fetchAny({ apiVersion: 'v1', kind: 'Secret', name: 'keys' })

  expect(found).toEqual({
    is: 'refused',
    why: 'a Secret is not read on behalf of who names it',
  })
  expect(api.log.filter(({ path }) => path.includes('secrets'))).toEqual([])
})

test('a server that does not say is an error, and not an absence', async () => {
  const off = api.faults.answer({ status: 500, match: (_, path) => path.endsWith('/of-default') })

  await expect(aReader().fetchAny(aConfigMap('of-default'))).rejects.toMatchObject({ status: 500 })
  off()
})

test('who does not declare it cannot do it', async () => {
  await expect(aReader(false).fetchAny(aConfigMap('of-default'))).rejects.toMatchObject({
    code: 'NotDeclared',
  })
  expect(api.log).toEqual([])
})
