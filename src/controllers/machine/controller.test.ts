import { expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { kinds } from '#api/kinds.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { systemClock as clock } from '#base/clock.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { wantedBy } from '#runtime/controller-run.ts'
import { Watches } from '#runtime/watches.ts'
import { anApi } from '#test/an-api.ts'
import { aMachine } from '#test/builders.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { machine } from './controller.ts'

const VERSIONS = { version: 'v1.13.0', kubeVersion: 'v1.35.0', mode: 'metal' as const }
const namespace = 'default'

test('a control plane matters to the machines of the pools that join it, and to no others', async () => {
  await using api = await anApi({ kinds })
  const client = await clientOf(api)
  const makePool = async (name: string, controlPlane: string) => {
    const metalSpec = { machines: [{ address: '192.0.2.1' }] }
    const { metadata } = await client.create(Worker, {
      metadata: { namespace, name },
      spec: { ...VERSIONS, metalSpec, controlPlaneRef: { name: controlPlane } },
    })
    const owner = { apiVersion: 'talos.alperen.cloud/v1alpha1', kind: 'TalosWorker', name }
    await client.create(Machine, {
      metadata: {
        ...{ namespace, name: `${name}-m` },
        ownerReferences: [{ ...owner, uid: metadata.uid ?? '' }],
      },
      spec: { endpoint: '192.0.2.1', version: 'v1.13.0', workerRef: { name } },
    })
  }
  await makePool('a', 'one')
  await makePool('b', 'one')
  await makePool('c', 'two')
  const controller = machine({ clock } as ClusterPorts) // nobody is looked at
  const watches = new Watches({ client, clock, namespaces: [] }, wantedBy(controller))
  const stop = new AbortController()
  const running = watches.run(stop.signal)
  await watches.whenSynced(AbortSignal.timeout(20_000))

  const read = controller.reads.find(({ kind }) => kind === ControlPlane)
  const one = { metadata: { namespace, name: 'one' } }
  expect(read && controller.wokenFor(read, one, watches)).toEqual(['default/a-m', 'default/b-m'])

  stop.abort()
  await running
  client.close()
})

test('a machine belongs to the cluster that its parent is of, as far as its object says', () => {
  const { clusterOf } = machine({ clock } as ClusterPorts) // nobody is looked at

  expect(clusterOf(aMachine())).toBe('prod')
  const { controlPlaneRef: _, ...spec } = aMachine().spec ?? { endpoint: '', version: '' }
  const worker = { ...aMachine(), spec: { ...spec, workerRef: { name: 'pool' } } }
  expect(clusterOf(worker)).toBe('pool')
})
