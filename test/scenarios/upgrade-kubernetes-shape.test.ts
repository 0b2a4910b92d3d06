import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import { apiVersionOf } from '#api/meta.ts'
import { PROVIDER } from './a-provider.ts'
import { startUpgrade } from './an-upgrade-command.ts'
import { brokenInvariants } from './invariants.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

// Of a cluster by its shape: its one version is edited, and its parts follow.

const LONG = 300_000
const FORMER = 'v1.34.1'
const NEXT = 'v1.35.0'
const LAST = 'v1.35.1'
const SHAPE = [KubernetesCluster, 'shaped'] as const

let world: World
beforeAll(async () => {
  const versions = { talos: 'v1.13.0', kubernetes: FORMER }
  world = await aWorld({ subnet: '127.80.77', machines: 0, versions })
  await world.provider([1, 2, 3])
  const machineTemplate = { spec: { provider: PROVIDER } }
  await world.objects.apply({
    ...{ apiVersion: apiVersionOf(KubernetesCluster), kind: KubernetesCluster.kind },
    metadata: { name: 'shaped' },
    spec: {
      ...{ clusterName: 'raised', kubernetesVersion: FORMER, talosVersion: 'v1.13.0' },
      clusterEndpoint: `https://${world.address(1)}:6443`,
      controlPlane: { replicas: 1, machineTemplate },
      workers: [{ name: 'pool', replicas: 1, machineTemplate }],
    },
  })
  await world.until('the cluster to be Ready', async () => {
    const { status } = (await shape()) ?? {}
    const ready = await conditionOf(world, [...SHAPE], 'Ready')
    return ready?.status === 'True' && status?.workersReady === 1
  })
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const shape = () => world.objects.find(...SHAPE)

async function upgraded(to: string): Promise<{ out: string; failure: string }> {
  const command = await startUpgrade(world, { name: 'raised', to })
  const failure = await command.end
  return { out: command.out(), failure }
}

const kubelets = async () =>
  (await world.objects.list(Machine)).map(({ status }) => status?.kubernetes?.kubelet)

test('the operator brings its parts there, and the command follows', {
  timeout: LONG,
}, async () => {
  const { out, failure } = await upgraded(NEXT)

  expect(failure).toBe('')
  expect(out).toContain(`KubernetesCluster shaped: spec.kubernetesVersion ${FORMER} → ${NEXT}\n`)
  expect(out).toContain('\nthe kubelets of the workers\n')
  expect(out).toContain(`TalosControlPlane default/raised has Kubernetes ${NEXT}\n`)
  expect(await kubelets()).toEqual([NEXT, NEXT])
  expect((await shape())?.spec?.kubernetesVersion).toBe(NEXT)
})

test('without an operator the command does it, with the rules of the cluster', {
  timeout: LONG,
}, async () => {
  await world.stopOperator()
  const { out, failure } = await upgraded(LAST)
  const ready = await conditionOf(world, [...SHAPE], 'Ready')

  expect(failure).toBe('')
  expect(out).toContain('no operator leads: this command does the work')
  expect(await kubelets()).toEqual([LAST, LAST])
  expect(ready).toMatchObject({ status: 'True', observedGeneration: 3 })
  expect(await brokenInvariants(world)).toEqual([])
  // Where somebody gives a command there is no place for manifests.
  expect(existsSync('hack/results/raised')).toBe(false)
})
