import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AShell } from './a-shell.ts'
import { metalManifest } from './metal-manifest.ts'
import { aMetalSite, type MetalSite } from './metal-site.ts'

// The operator is killed, and `upgrade-k8s` does its work with a real Kubernetes API and the account of the operator. To its end it
// would take minutes: that is the scenario upgrade-kubernetes-alone.

const addressOf = (machine: number) => `127.94.0.${machine}`
const LONG_MS = 180_000
const VERSIONS = `{range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}`

let site: MetalSite
let user: AShell

beforeAll(async () => {
  site = await aMetalSite(addressOf(1), 3)
  ;({ user } = site)
  const one = { name: 'one', controlPlanes: [addressOf(1)], workers: [addressOf(2)] }
  const two = { name: 'two', controlPlanes: [addressOf(3)], workers: [] }
  for (const cluster of [one, two]) await user.types('kubectl apply -f -', metalManifest(cluster))
  await user.types('kubectl wait tc --all --for=condition=Ready --timeout=90s')
  await site.killOperator()
}, LONG_MS)
afterAll(() => site?.[Symbol.asyncDispose]())

const objectsOfTwo = async () =>
  (await user.types(`kubectl get tc,tcp,tw,tm -o jsonpath='${VERSIONS}'`))
    .split('\n')
    .filter((line) => / two/.test(line))

test('it waits for the dead operator, begins with the roles of one, and leaves other clusters alone', {
  timeout: LONG_MS,
}, async () => {
  const kubeVersion = 'v1.36.0'
  const patch = JSON.stringify({ spec: { controlPlane: { kubeVersion } } })
  await user.types(`kubectl patch tc two --type merge -p '${patch}'`)
  const others = await objectsOfTwo()
  const command = `talos-operator upgrade-k8s --kubeconfig ${site.operatorKubeconfig}`
  const { stdout, stderr } = await user.tries(
    [
      `export TCP_NAME=one TCP_NAMESPACE=default TARGET_VERSION=${kubeVersion}`,
      `${command} > told & pid=$!`,
      'until grep -q watched told || ! kill -0 $pid; do sleep 1; done',
      'kill -INT $pid',
      'wait $pid || cat told',
    ].join('\n'),
  )

  expect(stdout).toMatch(
    / holds the Lease talos-operator-system\/talos-operator, and has not renew/,
  )
  expect(stdout).toMatch(
    /this command leads.*\nTalosCluster one: spec.*v1\.36\.0\n.*\nthe API servers\n.*watched/s,
  )
  expect(stderr).not.toMatch(/forbidden/i)
  expect(stderr).toMatch(/told to stop; all stays as it is until an operator runs/)
  expect(await objectsOfTwo()).toEqual(others)
  const holder = `-o jsonpath='{.spec.holderIdentity}'`
  expect(
    await user.types(`kubectl get lease -n talos-operator-system talos-operator ${holder}`),
  ).toBe('')
})
