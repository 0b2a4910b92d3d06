import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#test/until.ts'
import { type ASimulation, aSimulation } from './a-simulation.ts'

// Real talosctl v1.13.0 upgrades the Kubernetes of a pretend cluster, by a minor version.

let it: ASimulation

async function succeeds(running: ReturnType<ASimulation['talosctl']>): Promise<string> {
  const { exitCode, text } = await running
  expect({ exitCode, text: exitCode === 0 ? '' : text }).toEqual({ exitCode: 0, text: '' })
  return text
}

const configure = (machine: number, role: string) =>
  succeeds(it.talosctl(`apply-config --insecure -n ${it.address(machine)} -f ${role}.yaml`))

const states = (wanted: string) =>
  until(
    wanted,
    async () => it.simulation.fleet.machines.map(({ stage, isReady }) => `${stage} ${isReady}`),
    (seen) => seen.every((state) => state === wanted),
  )

const UPGRADED = /^registry\.k8s\.io\/(?=kube-)/

/** How often each version is among the nodes, and each image among the pods that an upgrade changes. */
async function versions(): Promise<string[]> {
  const kubelets = 'jsonpath={.items[*].status.nodeInfo.kubeletVersion}'
  const images = 'jsonpath={.items[*].spec.containers[0].image}'
  const nodes = await succeeds(it.kubectl(`get nodes -o ${kubelets}`))
  const pods = await succeeds(it.kubectl(`-n kube-system get pods -o ${images}`))
  const upgraded = pods.split(' ').filter((image) => UPGRADED.test(image))
  const seen = [...nodes.split(' '), ...upgraded.map((image) => image.replace(UPGRADED, ''))]
  const names = [...new Set(seen)].toSorted()
  return names.map((name) => `${seen.filter((one) => one === name).length} ${name}`)
}

const allOf = (version: string, controlPlanes: number): string[] => [
  `${controlPlanes} kube-apiserver:${version}`,
  `${controlPlanes} kube-controller-manager:${version}`,
  `${controlPlanes + 1} kube-proxy:${version}`,
  `${controlPlanes} kube-scheduler:${version}`,
  `${controlPlanes + 1} ${version}`,
]

interface Cluster {
  subnet: string
  controlPlanes: number
  talos: string
  before: string
  after: string
  /** A feature gate that the later version does not know. */
  removed: string
}

const NEWER = {
  ...{ talos: 'v1.13.0', before: '1.35.0', after: '1.36.1', removed: 'HonorPVReclaimPolicy' },
}
const OLDER = {
  ...{ talos: 'v1.12.0', before: '1.34.0', after: '1.35.1', removed: 'SizeMemoryBackedVolumes' },
}

describe.each<[title: string, cluster: Cluster]>([
  ['three control planes', { subnet: '127.73.0', controlPlanes: 3, ...NEWER }],
  ['one, whose API is away at times', { subnet: '127.74.0', controlPlanes: 1, ...NEWER }],
  [
    'an older one, whose manifests are replaced',
    { subnet: '127.75.0', controlPlanes: 1, ...OLDER },
  ],
])('with %s', (_, { subnet, controlPlanes, talos, before, after, removed }) => {
  beforeAll(async () => {
    it = await aSimulation(subnet, controlPlanes + 1, { talos, kubernetes: before })
    await states('maintenance true')
    for (let machine = 1; machine <= controlPlanes; machine++) {
      await configure(machine, 'controlplane')
    }
    await configure(controlPlanes + 1, 'worker')
    await until(
      'bootstrap to be accepted',
      () => it.talosctl('bootstrap'),
      ({ exitCode }) => exitCode === 0,
    )
    await states('running true')
    await succeeds(it.talosctl('kubeconfig kubeconfig'))
  }, 300_000)

  afterAll(() => it?.[Symbol.asyncDispose]())

  test('a dry run says what would be done, and does nothing', async () => {
    const text = await succeeds(it.talosctl(`upgrade-k8s --to ${after} --dry-run`))

    expect(text).toContain('checking for removed Kubernetes component flags')
    expect(text).toContain(`update kube-apiserver: v${before} -> ${after}`)
    expect(text).toContain(`update kubelet: ${before} -> ${after}`)
    expect(await versions()).toEqual(allOf(`v${before}`, controlPlanes))
  })

  test('a flag that the next version does not know stands in the way', async () => {
    const patching = (extraArgs: object) => {
      const patch = JSON.stringify({ cluster: { apiServer: { extraArgs } } })
      return succeeds(it.talosctl(`patch mc -n ${it.address(1)} --patch ${patch}`))
    }
    await patching({ 'feature-gates': `${removed}=true` })
    await states('running true')
    const refused = await it.talosctl(`upgrade-k8s --to ${after}`)
    await patching({ $patch: 'delete' })

    expect(refused.exitCode).toBe(1)
    expect(refused.text).toMatch(new RegExp(`\\.0\\.1 +kube-apiserver +${removed}`))
    await states('running true')
  }, 120_000)

  test('every component is upgraded on every machine, and what Talos has installed', async () => {
    const text = await succeeds(it.talosctl(`upgrade-k8s --to ${after}`))

    expect(text).toContain('updating manifests')
    await until('the new version', versions, (seen) =>
      isDeepStrictEqual(seen, allOf(`v${after}`, controlPlanes)),
    )
    await states('running true')
  }, 300_000)
})
