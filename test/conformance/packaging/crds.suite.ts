import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { crdName, toCrd } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Kind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { apis, type RunningApi } from '#test/conformance/apis.ts'
import { type Run, userOf } from '#test/conformance/commands.ts'

const aCluster = JSON.stringify({
  apiVersion: 'vitistack.io/v1alpha1',
  kind: 'KubernetesCluster',
  metadata: { name: 'prod' },
})

describe.each(apis)('installing the CRDs on $name', ({ start }) => {
  let api: RunningApi
  let run: Run
  beforeEach(async () => {
    api = await start()
    run = await userOf(api.kubeconfig)
  })
  afterEach(() => api?.[Symbol.asyncDispose]())

  const installed = async (): Promise<string[]> => {
    const { stdout } = await run('kubectl', ['get', 'crd', '-o', 'name'])
    return stdout.split('\n').filter(Boolean).sort()
  }
  const all = kinds
    .map((kind) => `customresourcedefinition.apiextensions.k8s.io/${crdName(kind)}`)
    .sort()

  test('make install is repeatable, and make uninstall takes everything away again', async () => {
    expect(await run('make', ['install'])).toMatchObject({ exitCode: 0 })
    expect(await run('make', ['install'])).toMatchObject({ exitCode: 0 })
    expect(await installed()).toEqual(all)

    expect(await run('make', ['uninstall'])).toMatchObject({ exitCode: 0 })
    expect(await installed()).toEqual([])
    expect(await run('make', ['uninstall'])).toMatchObject({ exitCode: 0 })
  })

  test('make uninstall refuses while there are objects, and says which', async () => {
    await run('make', ['install'])
    await run('kubectl', ['wait', '--for=condition=Established', 'crd', '--all'])
    await expect
      .poll(() => run('kubectl', ['apply', '-f', '-'], aCluster), { timeout: 60_000 })
      .toMatchObject({ exitCode: 0 })

    const { exitCode, stderr } = await run('make', ['uninstall'])

    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('1 kubernetesclusters')
    expect(await installed()).toEqual(all)
  })

  // As `kubectl apply` leaves it: what it owns, a later server-side apply takes over without asking.
  const aStranger = (kind: Kind): string => {
    const crd = toCrd(kind)
    return JSON.stringify({ ...crd, metadata: { name: crd.metadata.name } })
  }
  const partOf = ['-o', 'jsonpath={.metadata.labels.app\\.kubernetes\\.io/part-of}']

  test('another project’s CRD of the same name is not overwritten, unless told', async () => {
    await run('kubectl', ['apply', '-f', '-'], aStranger(KubernetesCluster))
    const crd = crdName(KubernetesCluster)

    const { exitCode, stderr } = await run('make', ['install'])
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('kubernetesclusters.vitistack.io from another project')

    const { stdout } = await run('bin/talos-operator', ['manifests'])
    expect(await run('kubectl', ['apply', '--server-side', '-f', '-'], stdout)).toMatchObject({
      exitCode: 0,
    })
    expect(await run('kubectl', ['get', 'crd', crd, ...partOf])).toMatchObject({ stdout: '' })

    const chart = 'charts/talos-operator-crds'
    expect((await run('helm', ['install', 'crds', chart])).stderr).toContain('ownership')
    expect(await run('kubectl', ['get', 'crd', crd, ...partOf])).toMatchObject({ stdout: '' })

    expect(await run('make', ['install', 'FORCE=1'])).toMatchObject({ exitCode: 0 })
    expect(await run('kubectl', ['get', 'crd', crd, ...partOf])).toMatchObject({
      stdout: 'talos-operator',
    })
  })

  test('nor is it by the chart that is told to take everything over, unless told that, too', async () => {
    await run('kubectl', ['apply', '-f', '-'], aStranger(KubernetesCluster))
    const crd = crdName(KubernetesCluster)
    const theirs = () => run('kubectl', ['get', 'crd', crd, ...partOf])
    const helm = (verb: string, ...args: string[]) =>
      run('helm', [verb, 'crds', 'charts/talos-operator-crds', ...args])

    const refused = await helm('install', '--take-ownership')
    expect(refused.exitCode).not.toBe(0)
    expect(refused.stderr).toContain(`${crd} from another project`)
    expect(refused.stderr).toContain('--set vitistack=false')
    expect(await theirs()).toMatchObject({ stdout: '' })

    expect(await helm('install', '--set', 'vitistack=false')).toMatchObject({ exitCode: 0 })
    expect(await theirs()).toMatchObject({ stdout: '' })
    expect(await installed()).toHaveLength(all.length - 1)

    const replacing = ['--set', 'vitistack=true', '--set', 'force=true', '--take-ownership']
    expect(await helm('upgrade', ...replacing)).toMatchObject({ exitCode: 0 })
    expect(await theirs()).toMatchObject({ stdout: 'talos-operator' })
    expect(await installed()).toEqual(all)
  })

  test('the kinds of vitistack.io can be left out of the chart, and those that are there stay', async () => {
    const helm = (verb: string, ...args: string[]) =>
      run('helm', [verb, 'crds', 'charts/talos-operator-crds', ...args])

    expect(await helm('install', '--set', 'vitistack=false')).toMatchObject({ exitCode: 0 })
    expect(await installed()).toEqual(all.filter((name) => !name.endsWith('.vitistack.io')))
    expect(await helm('upgrade', '--set', 'vitistack=true')).toMatchObject({ exitCode: 0 })
    await expect
      .poll(() => run('kubectl', ['apply', '-f', '-'], aCluster), { timeout: 60_000 })
      .toMatchObject({ exitCode: 0 })
    expect(await helm('upgrade', '--set', 'vitistack=false')).toMatchObject({ exitCode: 0 })

    expect(await installed()).toEqual(all)
    expect(await run('kubectl', ['get', 'kc', 'prod'])).toMatchObject({ exitCode: 0 })
  })

  test('the chart takes CRDs over that were handed to it as the docs say', async () => {
    await run('kubectl', ['apply', '-f', '-'], aStranger(Worker))
    const page = await readFile('docs/differences.md', 'utf8')
    const script = /```sh\n(for crd in[\s\S]*?)```/.exec(page)?.[1] ?? ''

    expect(script).toContain('helm install')
    // Nothing is there to be upgraded: chart-takeover.suite.ts does that line.
    const typed = script.replace(
      /^helm upgrade .*$/m,
      'kubectl create namespace talos-operator-system',
    )
    expect(await run('bash', ['-euc', typed])).toMatchObject({ exitCode: 0 })
    expect(await installed()).toEqual(all)
  })

  test('the CRD chart installs, upgrades, and leaves everything behind when it goes', async () => {
    const chart = 'charts/talos-operator-crds'
    expect(await run('helm', ['lint', '--strict', chart])).toMatchObject({ exitCode: 0 })
    expect(await run('helm', ['install', 'crds', chart])).toMatchObject({ exitCode: 0 })
    expect(await run('helm', ['upgrade', 'crds', chart])).toMatchObject({ exitCode: 0 })
    await run('kubectl', ['wait', '--for=condition=Established', 'crd', '--all'])
    await expect
      .poll(() => run('kubectl', ['apply', '-f', '-'], aCluster), { timeout: 60_000 })
      .toMatchObject({ exitCode: 0 })

    expect(await run('helm', ['uninstall', 'crds'])).toMatchObject({ exitCode: 0 })

    expect(await installed()).toEqual(all)
    expect(await run('kubectl', ['get', 'kc', 'prod'])).toMatchObject({ exitCode: 0 })
  })
})
