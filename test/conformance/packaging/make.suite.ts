import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apis, type RunningApi } from '#test/conformance/apis.ts'
import { type Run, userOf } from '#test/conformance/commands.ts'
import { startChild } from '#test/conformance/kubernetes/child.ts'
import { until } from '#test/until.ts'

const NAMESPACE = 'talos-operator-system'
const aCluster = JSON.stringify({
  ...{ apiVersion: 'talos.alperen.cloud/v1alpha1', kind: 'TalosCluster' },
  metadata: { name: 'prod', namespace: NAMESPACE },
})

describe.each(apis)('make, with a cluster that is $name', ({ start }) => {
  let api: RunningApi
  let run: Run
  beforeAll(async () => {
    api = await start()
    run = await userOf(api.kubeconfig)
  })
  afterAll(() => api?.[Symbol.asyncDispose]())

  const kubectl = (...args: string[]) => run('kubectl', [...args, '--namespace', NAMESPACE])
  const image = async () => {
    const path = 'jsonpath={.spec.template.spec.containers[0].image}'
    return (await kubectl('get', 'deployment', 'talos-operator', '--output', path)).stdout
  }

  test('R54: deploy installs everything with the image that it is told, again and again', async () => {
    const rehearsed = await run('make', ['-n', 'deploy', 'IMG=registry.example/talos-operator:v1'])
    expect(rehearsed.stdout).toContain('registry.example/talos-operator:v1')

    expect(await run('make', ['deploy', 'IMG=registry.example/mine:v1'])).toMatchObject({
      exitCode: 0,
    })
    expect(await image()).toBe('registry.example/mine:v1')
    expect(await run('make', ['deploy'])).toMatchObject({ exitCode: 0 })
    expect(await image()).toMatch(/^vitistack\/talos-operator:\d/)
    const crds = (await kubectl('get', 'crd', '--output', 'name')).stdout
    expect(crds.split('\n').filter(Boolean)).toHaveLength(10)
  })

  test('undeploy takes the operator away, and nothing of what users have made', async () => {
    const apply = () => run('kubectl', ['apply', '-f', '-'], aCluster)
    await until('a cluster', apply, ({ exitCode }) => exitCode === 0)

    const undeployed = await run('make', ['undeploy'])

    expect(undeployed).toMatchObject({ exitCode: 0 })
    expect(undeployed.stdout).toContain('all objects of yours stay')
    const ours = 'deployments,services,serviceaccounts,roles,rolebindings,networkpolicies'
    const selector = ['--selector', 'app.kubernetes.io/part-of=talos-operator', '--output', 'name']
    const everywhere = `${ours},clusterroles,clusterrolebindings`
    expect((await kubectl('get', everywhere, ...selector)).stdout).toBe('')
    expect(await kubectl('get', 'tc', 'prod')).toMatchObject({ exitCode: 0 })
    expect(await run('make', ['undeploy'])).toMatchObject({ exitCode: 0 })
  })

  test('run starts the operator from here, and ends it in good order', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'talos-operator-make-'))
    const log = join(folder, 'log')
    const flags =
      '--metrics-bind-address 0 --health-probe-bind-address 0 --leader-election-lease-duration 2s ' +
      '--leader-election-renew-deadline 1s --leader-election-retry-period 200ms'
    const told = () => readFile(log, 'utf8')
    {
      const variables = [`KUBECONFIG=${api.kubeconfig}`, 'MAKEFLAGS=']
      const args = [...variables, 'make', 'run', `ARGS=${flags}`]
      await using _operator = startChild('env', args, { log })
      await until('the operator to lead', told, (text) => text.includes('leading'))
    }

    expect(await told()).toContain('stopped')
    expect(await told()).not.toContain('forbidden')
    await rm(folder, { recursive: true })
  })

  test('uninstall takes the kinds away when no object is left', async () => {
    expect(await run('make', ['uninstall'])).not.toMatchObject({ exitCode: 0 })
    await kubectl(
      'patch',
      'tc',
      'prod',
      '--type=merge',
      '--patch',
      '{"metadata":{"finalizers":[]}}',
    )
    await kubectl('delete', 'tc', 'prod')

    expect(await run('make', ['uninstall'])).toMatchObject({ exitCode: 0 })
    expect((await kubectl('get', 'crd', '--output', 'name')).stdout).toBe('')
  })
})

test('docker-build says what is missing', async () => {
  const run = await userOf('/nowhere')

  const { exitCode, stderr } = await run('make', ['docker-build', 'CONTAINER_TOOL=no-such-program'])

  expect(exitCode).not.toBe(0)
  expect(stderr).toContain('no-such-program could not be run')
  expect(stderr).toContain('CONTAINER_TOOL=podman')
})

test('docker-build builds what is here, under the name that config/manager has, or another', async () => {
  const run = await userOf('/nowhere')
  // Stands for Docker: says what it was told.
  const told = async (...variables: string[]) =>
    (await run('make', ['docker-build', 'CONTAINER_TOOL=echo', ...variables])).stdout
  const here = join(import.meta.dirname, '../../..')

  expect(await told()).toMatch(
    new RegExp(`^build --tag vitistack/talos-operator:\\d+\\.\\d+\\.\\d+ ${here}$`, 'm'),
  )
  expect(await told('IMG=x/y:v1', 'PLATFORM=linux/arm64')).toContain(
    `build --platform=linux/arm64 --tag x/y:v1 ${here}\n`,
  )
  expect(await told('IMG=x/y:v1', 'PLATFORM=linux/amd64,linux/arm64')).toContain(
    `build --platform=linux/amd64,linux/arm64 --tag x/y:v1 ${here}\n`,
  )
})

test('sbom names what is in the bundle and what is beside it, and no tools', async () => {
  const run = await userOf('/nowhere')

  const { stdout, stderr } = await run('make', ['sbom'])

  const [, file = ''] = /^(\S+\.cdx\.json) \d+ packages$/m.exec(stdout) ?? []
  expect(file, stderr).not.toBe('')
  const { components } = JSON.parse(
    await readFile(join(import.meta.dirname, '../../..', file), 'utf8'),
  )
  const names = components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['lmdb', 'commander']))
  expect(names).not.toContain('vitest')
})
