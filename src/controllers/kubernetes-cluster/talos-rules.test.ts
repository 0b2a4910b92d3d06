import { expect, test } from 'vitest'
import { FORCE_DELETION } from '#api/labels.ts'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import { aKubernetesCluster } from '#test/builders.ts'
import { afterStep, allMade, aWorldOf, saying } from '#test/kubernetes-cluster-world.ts'
import { planEvery } from './plan.ts'
import type { World } from './world.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const plan = planEvery(30_000)
const cluster = aKubernetesCluster()

const addressed = (of = cluster) =>
  allMade(of).map((machine, at) => saying(machine, { ipAddresses: [`192.0.2.${at + 1}`] }))

/** A cluster whose parts have all of its Machines; then the world becomes another. */
function running(over: (machines: ProvidedMachine[]) => Partial<World>, of = cluster): World {
  const machines = addressed()
  let world = aWorldOf(cluster, { machines, files: { stale: [], surplus: [] } })
  while (plan(cluster, world, NOW).steps.length > 0) {
    const { steps } = plan(cluster, world, NOW)
    world = steps.reduce((before, step) => afterStep(cluster, before, step), world)
  }
  const { talos, files, secrets } = world
  return aWorldOf(of, { talos, files, secrets, free: [], ...over(machines) })
}

const without =
  (...names: string[]) =>
  (machines: ProvidedMachine[]) => ({
    machines: machines.filter(({ metadata }) => !names.includes(metadata.name)),
  })

const listsOf = (world: World, of = cluster) =>
  plan(of, world, NOW).steps.flatMap((step) =>
    step.do === 'applyControlPlane' || step.do === 'applyWorker' ? [step.machines] : [],
  )

test('a control plane whose Machine is gone leaves the list, and a worker likewise', () => {
  expect(listsOf(running(without('prod-cp-1')))).toEqual([['prod-cp-0', 'prod-cp-2']])
  expect(listsOf(running(without('prod-workers-0')))).toEqual([['prod-workers-1']])
})

test('whoever is not seen stays in the list while the API has not said that it is gone', () => {
  const seen = running(() => ({ machines: [], lost: [] }))

  expect(listsOf(seen)).toEqual([])
})

test('of two that are gone one leaves at a time', () => {
  expect(listsOf(running(without('prod-cp-0', 'prod-cp-1')))).toEqual([['prod-cp-1', 'prod-cp-2']])
})

test('a wanted one that is gone leaves before those that are not wanted, which are all that is left of etcd', () => {
  const one = aKubernetesCluster({ spec: { controlPlane: { replicas: 1 } } })
  const world = running(without('prod-cp-0'), one)

  expect(listsOf(world, one)).toEqual([['prod-cp-1', 'prod-cp-2']])
})

test('when all are gone, nobody leaves the list, and the cluster says what can be done', () => {
  const world = running(without('prod-cp-0', 'prod-cp-1', 'prod-cp-2'))
  const { conditions, notices, status } = plan(cluster, world, NOW)

  expect(listsOf(world)).toEqual([])
  expect(status.phase).toBe('Provisioning')
  expect(conditions.Ready).toMatchObject({ ok: false, reason: 'MachinesNotReady' })
  expect(conditions.Ready?.message).toContain('somebody deleted prod-cp-0, prod-cp-1, prod-cp-2')
  expect(conditions.Ready?.message).toContain(`annotate it with ${FORCE_DELETION}=true`)
  expect(notices).toContainEqual(
    expect.objectContaining({ type: 'Warning', reason: 'ControlPlaneLost' }),
  )
})
