import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Lease } from '#api/foreign.ts'
import { kinds } from '#api/kinds.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import { openPorts } from '#operator/ports.ts'
import { aUser } from '#test/a-user.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { until } from '#test/until.ts'
import { startWork } from './upgrade-k8s-work.ts'

const clock = systemClock
const LEASES = { group: 'coordination.k8s.io', resources: ['leases'] }
const OURS = { group: 'talos.alperen.cloud', resources: ['*'], verbs: ['*'] }
const TAKES = { ...LEASES, verbs: ['get', 'create', 'update'] }

let api: AnApi
let admin: KubeClient
let name: string
let tests = 0
beforeAll(async () => {
  api = await anApi({ kinds })
  admin = await clientOf(api)
})
afterAll(async () => {
  admin.close()
  await api[Symbol.asyncDispose]()
})
beforeEach(() => {
  name = `lease-${++tests}`
})

const holder = async () =>
  (await admin.get(Lease, { namespace: 'default', name })).spec?.holderIdentity

const giveBack = () =>
  admin.create(Lease, {
    metadata: { namespace: 'default', name },
    spec: { holderIdentity: '', leaseDurationSeconds: 1 },
  })

async function working(kubeconfig: string, namespace = 'default') {
  const printed = { out: '', err: '' }
  const work = startWork({
    access: await kubeconfigAccess({ path: kubeconfig, env: {}, homeFolder: '/nowhere', clock }),
    ...{ clock, openPorts, writesMeta: false, identity: 'upgrade-k8s:default/one:laptop' },
    ...{ cluster: { namespace: 'default', name: 'one' }, namespaces: [] },
    lease: { namespace, name },
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
    },
  })
  return { work, printed }
}

/** Why it never will, once it is known. */
const whyNot = (work: { readonly isWorking: boolean }) =>
  until(
    'it to say why it cannot',
    async () => {
      try {
        return String(work.isWorking)
      } catch (error) {
        return String(error)
      }
    },
    (said) => said.includes('what to do'),
  )

test('it works once it leads and has seen all, and gives the Lease back', async () => {
  await giveBack()
  const { work, printed } = await working(api.kubeconfig)
  await until('it to work', async () => work.isWorking, Boolean)
  const held = await holder()
  await work[Symbol.asyncDispose]()

  expect(held).toMatch(/^upgrade-k8s:default\/one:laptop_[0-9a-f]{8}$/)
  expect(await holder()).toBe('')
  expect([work.isWorking, printed]).toEqual([
    false,
    { out: `this command leads, by the Lease default/${name}\n`, err: '' },
  ])
})

test('whoever holds the Lease is waited for, and named', async () => {
  const spec = { holderIdentity: 'operator_1', leaseDurationSeconds: 60 }
  await admin.create(Lease, { metadata: { namespace: 'default', name }, spec })
  const { work, printed } = await working(api.kubeconfig)
  await until('it to say so', async () => printed.out, Boolean)
  await work[Symbol.asyncDispose]()

  expect(printed.out).toBe(
    `operator_1 holds the Lease default/${name}: waiting until it is given back, or has run out\n`,
  )
  expect(await holder()).toBe('operator_1')
})

test('who may not take the Lease is told what it takes', async () => {
  await giveBack()
  const { work } = await working(await aUser(api, [OURS, { ...LEASES, verbs: ['get'] }]))
  const said = await whyNot(work)
  await work[Symbol.asyncDispose]()

  expect(said).toContain(
    `this command cannot do its work: it cannot take the Lease default/${name}`,
  )
  expect(said).toMatch(/why: .*verbs get, create and update on leases.*\n.*manifests --rbac/)
  expect(await holder()).toBe('')
})

test('who may not see what an operator sees is told what it takes, and gives the Lease back', async () => {
  await giveBack()
  const { work, printed } = await working(await aUser(api, [TAKES]))
  await until('it to lead', async () => printed.out, Boolean)
  const said = await whyNot(work)
  await work[Symbol.asyncDispose]()

  expect(said).toMatch(/cannot do its work: it cannot follow talos.*\n {2}why: .*forbidden/)
  expect(await holder()).toBe('')
})

test('a Lease in a namespace that is not there cannot be taken', async () => {
  const { work } = await working(api.kubeconfig, 'nowhere')
  const said = await whyNot(work)
  await work[Symbol.asyncDispose]()

  expect(said).toMatch(/cannot take the Lease nowhere\/.*\n {2}why: .*"nowhere" not found/)
})
