import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE } from './a-control-plane.ts'
import { startUpgrade } from './an-upgrade-command.ts'
import { brokenInvariants } from './invariants.ts'
import { workerIn } from './parts.ts'
import { untilReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 300_000
const FORMER = 'v1.34.1'
const NEXT = 'v1.35.0'

let world: World
beforeAll(async () => {
  const versions = { talos: 'v1.13.0', kubernetes: FORMER }
  world = await aWorld({ subnet: '127.80.91', machines: 3, versions })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], [2]))
  await world.objects.apply(workerIn(world, { name: 'older', joins: 'one', machines: [3] }))
  await world.objects.patch(Worker, 'older', { spec: { kubeVersion: 'v1.33.4' } })
  await untilReady(world, 'one')
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

async function upgraded(to: string): Promise<{ out: string; failure: string }> {
  const command = await startUpgrade(world, { name: 'one', to })
  const failure = await command.end
  return { out: command.out(), failure }
}

test('one that cannot be fetched ends the command, and is left to the operator', {
  timeout: LONG,
}, async () => {
  const mend = world.fault('registry-refuses', 1, 'image=v1.34.99')
  const { out, failure } = await upgraded('v1.34.99')
  mend()

  expect(out).toContain('TalosCluster one: spec.controlPlane.kubeVersion v1.34.1 → v1.34.99')
  expect(failure).toMatch(/does not go on\n {2}why: one: KubernetesUpgradeFailed: .*cannot fetch/)
})

test('the cluster and its own pool are upgraded, and a pool that is to be older is not', {
  timeout: LONG,
}, async () => {
  const kubeVersion = FORMER
  await world.objects.patch(Cluster, 'one', {
    spec: { controlPlane: { kubeVersion }, worker: { kubeVersion } },
  })
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'AsWanted' })
  const { out, failure } = await upgraded(NEXT)

  expect(failure).toBe('')
  for (const stage of ['the API servers', 'the kubelets of the workers']) {
    expect(out).toContain(`\n${stage}\n`)
  }
  expect(out).toMatch(
    /\nTalosControlPlane default\/one has Kubernetes v1\.35\.0, but for pools that ask for an older one: older with v1\.33\.4\n$/,
  )
  const again = await upgraded(NEXT)
  expect(again).toMatchObject({ failure: '', out: expect.stringContaining('v1.35.0 already') })
  expect(await brokenInvariants(world)).toEqual([])
})
