import { expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { crdName } from '#api/crd.ts'
import { CustomResourceDefinition } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { untilGone, untilReady } from './verdicts.ts'
import { aWorld } from './world.ts'

const LONG = 120_000

test('where the kinds of vitistack.io are not installed, a cluster comes up and goes all the same', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.145', machines: 2 })
  await world.stopOperator()
  for (const kind of [KubernetesCluster, ProvidedMachine])
    await world.objects.remove(CustomResourceDefinition, crdName(kind))
  world.startOperator()

  await world.objects.apply(world.cluster('one', [1], [2]))
  await untilReady(world, 'one')
  await world.objects.remove(Cluster, 'one')
  await untilGone(world)

  await world.until('all machines to wait again', () =>
    world.fleet.machines.every(({ stage }) => stage === 'maintenance'),
  )
  expect(await world.objects.list(CustomResourceDefinition)).toHaveLength(8)
})
