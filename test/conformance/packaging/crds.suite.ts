import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { crdName, toCrd } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { apis, type RunningApi } from '#test/conformance/apis.ts'
import { type Run, userOf } from '#test/conformance/commands.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

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
      .poll(() => run('kubectl', ['apply', '-f', '-'], aCluster), { timeout: 10_000 })
      .toMatchObject({ exitCode: 0 })

    const { exitCode, stderr } = await run('make', ['uninstall'])

    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('1 kubernetesclusters')
    expect(await installed()).toEqual(all)
  })

  test('make install does not overwrite another project’s CRD of the same name, unless told', async () => {
    const crd = toCrd(KubernetesCluster)
    const stranger = { ...crd, metadata: { name: crd.metadata.name } }
    await api.send({ method: 'POST', path: CRDS, body: stranger })

    const { exitCode, stderr } = await run('make', ['install'])

    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('kubernetesclusters.vitistack.io from another project')
    expect(await run('make', ['install', 'FORCE=1'])).toMatchObject({ exitCode: 0 })
    expect(await installed()).toEqual(all)
  })

  test('the CRD chart installs, upgrades, and leaves everything behind when it goes', async () => {
    const chart = 'charts/talos-operator-crds'
    expect(await run('helm', ['lint', '--strict', chart])).toMatchObject({ exitCode: 0 })
    expect(await run('helm', ['install', 'crds', chart])).toMatchObject({ exitCode: 0 })
    expect(await run('helm', ['upgrade', 'crds', chart])).toMatchObject({ exitCode: 0 })
    await run('kubectl', ['wait', '--for=condition=Established', 'crd', '--all'])
    await expect
      .poll(() => run('kubectl', ['apply', '-f', '-'], aCluster), { timeout: 10_000 })
      .toMatchObject({ exitCode: 0 })

    expect(await run('helm', ['uninstall', 'crds'])).toMatchObject({ exitCode: 0 })

    expect(await installed()).toEqual(all)
    expect(await run('kubectl', ['get', 'kc', 'prod'])).toMatchObject({ exitCode: 0 })
  })
})
