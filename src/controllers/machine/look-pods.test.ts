import { expect, test } from 'vitest'
import { MACHINE_UUID } from '#api/labels.ts'
import { systemClock } from '#base/clock.ts'
import { ClusterNodes } from '#engine/cluster-nodes.ts'
import { ApiError } from '#kube/api-error.ts'
import { aControlPlane, aWorker, aWorkerMachine } from '#test/builders.ts'
import { aNode, aWorld, NOW, UUID } from '#test/machine-world.ts'
import { quietLog } from '#test/quiet-log.ts'
import { lookAtPods } from './look-pods.ts'
import type { World } from './world.ts'

const machine = aWorkerMachine({
  metadata: { deletionTimestamp: NOW.toISOString(), annotations: { [MACHINE_UUID]: UUID } },
})
const drain = { by: machine.metadata.uid ?? '', since: NOW.toISOString(), cordoned: true }

/** Nodes whose pods are what this says. */
class Nodes extends ClusterNodes {
  readonly asked: unknown[] = []
  fails: Error | undefined

  override async podsOn(...[cluster, node]: Parameters<ClusterNodes['podsOn']>) {
    this.asked.push([cluster, node])
    if (this.fails) throw this.fails
    return []
  }
}

function looking(over: Partial<World> = {}, fails?: Error) {
  const nodes = new Nodes({ clock: systemClock, log: quietLog(), userAgent: 'test' })
  nodes.fails = fails
  const world = aWorld({
    parent: { is: 'there', controlPlane: aControlPlane(), worker: aWorker() },
    node: aNode({ drain }),
    ...over,
  })
  const { signal } = new AbortController()
  return { nodes, seen: lookAtPods(machine, world, { nodes, signal }) }
}

test('pods are asked for while their node is drained', async () => {
  const { nodes, seen } = looking()

  expect(await seen).toEqual({ is: 'known', pods: [] })
  expect(nodes.asked).toEqual([['default/prod', 'cp-1']])
})

test.each<[string, Partial<World>]>([
  ['it has no mark', { node: aNode() }],
  ['it has that of another', { node: aNode({ drain: { ...drain, by: 'another' } }) }],
  ['there is none', { node: undefined }],
  ['its API does not answer', { areNodesKnown: false }],
  ['the machine has no parent', { parent: { is: 'missing', what: 'TalosWorker pool' } }],
  ['the machine is off', { seen: { is: 'silent', message: 'no route' } }],
])('nobody asks for the pods of a node if %s', async (_what, world) => {
  const { nodes, seen } = looking(world)

  expect(await seen).toEqual({ is: 'unasked' })
  expect(nodes.asked).toEqual([])
})

test('what the API says against it is told, and keeps nobody from the rest', async () => {
  const refused = new ApiError('could not list pods', { status: 500, reason: 'InternalError' })

  expect(await looking({}, refused).seen).toEqual({
    ...{ is: 'unknown', message: 'could not list pods' },
  })
  await expect(looking({}, new Error('a mistake')).seen).rejects.toThrow('a mistake')
})
