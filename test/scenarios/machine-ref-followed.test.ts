import { afterAll, beforeAll, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { ConfigMap } from '#api/foreign.ts'
import { kinds } from '#api/kinds.ts'
import { CLUSTER_ID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { worker } from '#controllers/worker/controller.ts'
import type { KubeClient } from '#kube/client.ts'
import { anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import {
  type RunningControllers,
  startControllers,
} from '#test/conformance/runtime/running-controllers.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { until } from '#test/until.ts'

// By the time of the computer: what is noticed here is noticed long before the next look of each minute.

const namespace = 'default'
const VERSIONS = { version: 'v1.13.0', kubeVersion: 'v1.35.0' }

let api: MisbehavingApi
let client: KubeClient
let running: RunningControllers
beforeAll(async () => {
  api = await startMisbehaving(() => anApi({ kinds }))
  client = await clientOf(api)
  await client.create(ControlPlane, {
    metadata: { namespace, name: 'one', annotations: { [CLUSTER_ID]: 'an id' } },
    spec: {
      ...{ ...VERSIONS, mode: 'metal', endpoint: 'https://192.0.2.1:6443' },
      metalSpec: { machines: [{ address: '192.0.2.1' }] },
    },
  })
  running = await startControllers({ client, controllers: [worker({ writesMeta: false })] })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  client.close()
  await api[Symbol.asyncDispose]()
})

type Entries = NonNullable<NonNullable<NonNullable<Worker['spec']>['metalSpec']>['machines']>

const makePool = (name: string, machines: Entries, configRef?: { name: string; key: string }) =>
  client.create(Worker, {
    metadata: { namespace, name },
    spec: {
      ...{ ...VERSIONS, mode: 'metal', controlPlaneRef: { name: 'one' } },
      ...{ metalSpec: { machines }, ...(configRef && { configRef }) },
    },
  })

const referring = (...names: string[]): Entries =>
  names.map((name) => ({
    machineRef: {
      ...{ apiVersion: apiVersionOf(ProvidedMachine), kind: 'Machine', name },
      fieldPath: '.status.publicIPAddresses[0]',
    },
  }))

const putHost = (name: string, address: string) =>
  client.patch(
    ProvidedMachine,
    { namespace, name, subresource: 'status' },
    { type: 'merge', body: { status: { publicIPAddresses: [address] } } },
  )

async function makeHost(name: string, address: string): Promise<void> {
  await client.create(ProvidedMachine, { metadata: { namespace, name }, spec: { name } })
  await putHost(name, address)
}

const untilSays = (pool: string, words: string) =>
  until(
    `${pool} to say ${words}`,
    async () => {
      const { status } = await client.get(Worker, { namespace, name: pool })
      return status?.conditions?.find(({ type }) => type === 'Ready')
    },
    (ready) => `${ready?.reason}: ${ready?.message}`.includes(words),
  )

/** Until it is not more than it was half a second ago: what was under way is over. */
async function untilQuiet(count: () => number): Promise<void> {
  let [before, since] = [-1, 0]
  await until(
    'quiet',
    async () => count(),
    (now) => {
      if (now !== before) [before, since] = [now, 0]
      return ++since > 10
    },
  )
}

const untilAt = (machine: string, address: string) =>
  until(
    `${machine} at ${address}`,
    () => client.find(Machine, { namespace, name: machine }),
    (found) => found?.spec?.endpoint === address,
  )

test('an address that changes is followed before anybody looks, by the same TalosMachine', async () => {
  await makeHost('host-a', '192.0.2.11')
  await makePool('followed', referring('host-a'))
  const before = await untilAt('followed-host-a', '192.0.2.11')

  await putHost('host-a', '192.0.2.12')
  const after = await untilAt('followed-host-a', '192.0.2.12')

  expect(after?.metadata.uid).toBe(before?.metadata.uid)
  expect((await client.list(Machine)).items).toHaveLength(1)
})

test('a permission that is missing is told with the rule to add, and used when it is granted', async () => {
  await makeHost('host-b', '192.0.2.21')
  const off = api.faults.answer({
    status: 403,
    match: (method, path) => method === 'GET' && path.endsWith('/machines/host-b'),
  })
  await makePool('forbidden', referring('host-b'))

  const ready = await untilSays('forbidden', 'MachineRefForbidden')
  off()
  await untilAt('forbidden-host-b', '192.0.2.21')

  expect(ready?.message).toContain(
    'Add this rule to its Role: {apiGroups: ["vitistack.io"], resources: ["machines"], verbs: ["get", "list", "watch"]}',
  )
  expect(ready?.message).toContain('machineRefKinds with vitistack.io/v1alpha1/Machine in it')
})

test('where it may be read and not be watched, nothing is wrong', async () => {
  const off = api.faults.answer({
    status: 403,
    match: (method, path) => method === 'GET' && path.includes('/nodes?'),
  })
  const machineRef = { apiVersion: 'v1', kind: 'Node', name: 'n1', fieldPath: '.spec.podCIDR' }
  await makePool('unwatched', [{ machineRef }])
  await untilSays('unwatched', 'machineRef to Node n1: there is no such object')
  await until(
    'a refused watch',
    async () => api.log.length,
    () => api.log.some(({ path }) => path.includes('/nodes?')),
  )

  expect(running.watches.broken).toEqual([])
  off()
})

test('a ConfigMap that a configRef names is looked at when it appears and when it changes', async () => {
  const looks = () => api.log.filter(({ path }) => path.endsWith('/configmaps/given')).length
  const untilLookedAt = (change: () => Promise<unknown>) => {
    const before = looks()
    return change().then(() =>
      until(
        'a look',
        async () => looks(),
        (seen) => seen > before,
      ),
    )
  }
  const configRef = { name: 'given', key: 'worker.yaml' }
  await untilLookedAt(() => makePool('configured', [{ address: '192.0.2.31' }], configRef))
  await untilQuiet(looks)
  await untilLookedAt(() =>
    client.create(ConfigMap, { metadata: { namespace, name: 'given' }, data: { a: '' } }),
  )
  await untilQuiet(looks)
  await untilLookedAt(() =>
    client.patch(
      ConfigMap,
      { namespace, name: 'given' },
      { type: 'merge', body: { data: { 'worker.yaml': 'machine: {}' } } },
    ),
  )
})
