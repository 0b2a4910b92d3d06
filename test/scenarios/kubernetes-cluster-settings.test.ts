import { afterAll, beforeAll, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { parseYaml } from '#base/yaml.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { filesIn } from './files-in.ts'
import { brokenInvariants } from './invariants.ts'
import { secretTexts } from './secret-texts.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const NAME = 'set'
const KUBELET = 'registry.example.com/kubelet:v1.35.0'
const TOKEN = 'a-token-of-the-user'
const INSTALLER = 'registry.example.com/installer:v1.13.0'

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.64', machines: 1 })
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

test('what talosConfig says reaches the machines, in the form of the newest Talos', {
  timeout: LONG,
}, async () => {
  const { talos } = await generateBundle({ talosVersion: 'v1.13.0', now: world.clock.now() })
  const token = TOKEN
  await world.objects.apply({
    apiVersion: apiVersionOf(KubernetesCluster),
    kind: KubernetesCluster.kind,
    metadata: { name: NAME },
    spec: {
      ...{ kubernetesVersion: 'v1.35.0', talosVersion: 'v1.13.0' },
      clusterEndpoint: `https://${world.address(1)}:6443`,
      ...{ podSubnets: ['10.50.0.0/16'], serviceSubnets: ['10.60.0.0/16'] },
      controlPlane: { replicas: 1 },
      talosConfig: {
        machine: {
          ...{ token, ca: { crt: talos.certificate, key: talos.key.open() } },
          certSANs: ['talos.example.com'],
          kubelet: { image: KUBELET, extraArgs: { 'max-pods': '200' } },
        },
        cluster: { network: { dnsDomain: 'example.local' } },
        install: {
          ...{ disk: '/dev/sdb', wipe: true, image: INSTALLER, bootloader: false },
          extraKernelArgs: ['console=ttyS0'],
        },
      },
    },
  })
  await world.until('its Machine', async () => {
    return (await world.objects.find(ProvidedMachine, 'set-cp-0')) !== undefined
  })
  await world.objects.patchStatus(ProvidedMachine, 'set-cp-0', {
    ...{ phase: 'Running', ipAddresses: ['169.254.1.1', world.address(1)] },
  })
  await world.until('the cluster to be Ready', async () => {
    return (await conditionOf(world, [KubernetesCluster, NAME], 'Ready'))?.status === 'True'
  })

  const provided = await world.objects.find(ProvidedMachine, 'set-cp-0')
  expect(provided?.spec?.talosConfig).toMatchObject({
    installDisk: '/dev/sdb',
    cluster: {
      network: {
        ...{ dnsDomain: 'example.local', podSubnets: ['10.50.0.0/16'] },
        serviceSubnets: ['10.60.0.0/16'],
      },
    },
  })
  const [controlPlane] = await world.objects.list(ControlPlane)
  const [machine] = await world.objects.list(Machine)
  expect(machine?.status?.hostname).toBe('set-cp-0')
  expect(controlPlane?.spec).toMatchObject({
    ...{ clusterDomain: 'example.local', podCIDR: ['10.50.0.0/16'] },
    serviceCIDR: ['10.60.0.0/16'],
    metalSpec: { machines: [{ machineRef: { fieldPath: '.status.ipAddresses[1]' } }] },
  })
  const delivered = await world.objects.find(Secret, 'set-config')
  const encoded = Buffer.from(delivered?.data?.['controlplane.yaml'] ?? '', 'base64').toString()
  const config = Buffer.from(encoded, 'base64').toString()
  for (const text of ['talos.example.com', 'max-pods: "200"', 'console=ttyS0', '10.50.0.0/16']) {
    expect(config).toContain(text)
  }
  const [document] = config.split(/^---$/m)
  const { machine: installed, cluster } = Object(parseYaml(document ?? ''))
  expect(cluster.network).toMatchObject({
    ...{ dnsDomain: 'example.local', serviceSubnets: ['10.60.0.0/16'] },
  })
  expect(installed).toMatchObject({
    ...{ token, kubelet: { image: KUBELET } },
    install: { disk: '/dev/sdb', image: INSTALLER, bootloader: false, wipe: true },
    ca: { crt: Buffer.from(talos.certificate).toString('base64') },
  })
})

test('A7: now that it runs, its keys are in Secrets and nowhere else: no object, file, event, line or figure has them', async () => {
  const secrets = await secretTexts(world)

  expect(secrets).toContain(TOKEN)
  expect(secrets.length).toBeGreaterThan(20)
  expect((await filesIn(world.resultsFolder)).length).toBeGreaterThanOrEqual(2)
  expect(await brokenInvariants(world)).toEqual([])
  const metrics = await world.metrics()
  expect(secrets.filter((text) => metrics.includes(text))).toEqual([])
})

test('versions that do not go together are told by the control plane, and nothing is done to its machine', {
  timeout: LONG,
}, async () => {
  const before = world.fleet.machine(world.address(1))?.talosVersion
  await world.objects.patch(KubernetesCluster, NAME, { spec: { kubernetesVersion: 'v1.40.0' } })
  await world.until('Ready to say so', async () => {
    const ready = await conditionOf(world, [KubernetesCluster, NAME], 'Ready')
    return ready?.message.includes('TalosControlPlane set (Kubernetes') ?? false
  })

  expect(await conditionOf(world, [KubernetesCluster, NAME], 'Ready')).toMatchObject({
    ...{ status: 'False', reason: 'MachinesNotReady' },
  })
  expect(world.fleet.machine(world.address(1))?.talosVersion).toBe(before)
})
