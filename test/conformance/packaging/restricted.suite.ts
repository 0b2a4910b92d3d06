import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningApi, realApi } from '#test/conformance/apis.ts'
import { type Run, userOf } from '#test/conformance/commands.ts'
import { until } from '#test/until.ts'

// Kubernetes' own controllers make pods of a Deployment, and its admission judges them. The embedded API has neither.

const NAMESPACE = 'talos-operator-system'
const RESTRICTED = ['enforce', 'warn'].map(
  (mode) => `pod-security.kubernetes.io/${mode}=restricted`,
)

let api: RunningApi
let run: Run
beforeAll(async () => {
  api = await realApi.start()
  run = await userOf(api.kubeconfig)
  await run('kubectl', ['create', 'namespace', NAMESPACE])
  await run('kubectl', ['label', 'namespace', NAMESPACE, ...RESTRICTED])
})
afterAll(() => api?.[Symbol.asyncDispose]())

test.each([
  [
    'config/default',
    ['kubectl', 'apply', '-k', 'config/default'],
    ['kubectl', 'delete', '-k', 'config/default'],
  ],
  [
    'the chart',
    ['helm', 'install', 'talos-operator', 'charts/talos-operator', '--namespace', NAMESPACE],
    ['helm', 'uninstall', 'talos-operator', '--namespace', NAMESPACE],
  ],
])('a pod of %s is let in where only restricted ones are', async (_, install, remove) => {
  const [command = '', ...args] = install
  const { exitCode, stderr } = await run(command, args)
  const pods = async () => {
    const look = ['get', 'pods', '--namespace', NAMESPACE, '--output', 'json']
    return JSON.parse((await run('kubectl', look)).stdout).items
  }
  const [pod] = await until('a pod', pods, (seen) => seen.length === 1)

  expect(exitCode).toBe(0)
  expect(stderr).not.toContain('PodSecurity')
  expect(pod.spec.serviceAccountName).toBe('talos-operator-controller-manager')
  const [undo = '', ...rest] = remove
  await run(undo, rest)
  await until('none', pods, (seen) => seen.length === 0)
})
