import { expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { ClusterNodes } from '#engine/cluster-nodes.ts'
import { aWriter } from '#test/a-writer.ts'
import { aMachine } from '#test/builders.ts'
import { aWorld } from '#test/machine-world.ts'
import { quietLog } from '#test/quiet-log.ts'
import { nodeActs } from './acts-node.ts'

/** Notes what is asked of it. */
class Nodes extends ClusterNodes {
  readonly asked: unknown[] = []

  override async cordon(...[cluster, node]: Parameters<ClusterNodes['cordon']>) {
    this.asked.push(['cordon', cluster, node])
  }

  override async uncordon(...[cluster, node]: Parameters<ClusterNodes['uncordon']>) {
    this.asked.push(['uncordon', cluster, node])
  }

  override async evictPods(...[cluster, pods]: Parameters<ClusterNodes['evictPods']>) {
    this.asked.push(['evict', cluster, pods])
  }

  override async deletePods(...[cluster, pods]: Parameters<ClusterNodes['deletePods']>) {
    this.asked.push(['delete', cluster, pods])
  }
}

const on = { resource: aMachine({ metadata: { uid: 'by' } }), write: aWriter().write }
const at = { node: 'n1', uid: 'u1' }
const pods = [{ namespace: 'shop', name: 'web', uid: 'u2' }]

test('a drain is done in the cluster of the machine, in its name', async () => {
  const nodes = new Nodes({ clock: systemClock, log: quietLog(), userAgent: 'test' })
  const acts = nodeActs({ nodes })
  const occasion = { ...on, world: aWorld() }

  await acts.cordon({ do: 'cordon', ...at }, occasion)
  await acts.evict({ do: 'evict', node: 'n1', pods }, occasion)
  await acts.deletePods({ do: 'deletePods', node: 'n1', pods }, occasion)
  await acts.giveUpDrain({ do: 'giveUpDrain', ...at }, occasion)
  await acts.uncordon({ do: 'uncordon', ...at }, occasion)

  const node = { name: 'n1', uid: 'u1', by: 'by' }
  expect(nodes.asked).toEqual([
    ['cordon', 'default/prod', node],
    ['evict', 'default/prod', pods],
    ['delete', 'default/prod', pods],
    ['uncordon', 'default/prod', { ...node, isStopped: true }],
    ['uncordon', 'default/prod', node],
  ])
})

test('nothing is done where nobody knows which cluster it is', () => {
  const nodes = new Nodes({ clock: systemClock, log: quietLog(), userAgent: 'test' })
  const world = aWorld({ parent: { is: 'missing', what: 'TalosControlPlane prod' } })

  expect(() => nodeActs({ nodes }).cordon({ do: 'cordon', ...at }, { ...on, world })).toThrow(
    'not of this look',
  )
  expect(nodes.asked).toEqual([])
})
