import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { kubeconfigFor } from '#machineconfig/secrets/kubeconfig.ts'
import {
  aControlPlane,
  aControlPlaneNode,
  aNode,
  factsOf,
} from '#simulator/kubernetes/a-cluster.cases.ts'
import {
  type SimulatedKubernetes,
  simulatedKubernetes,
} from '#simulator/kubernetes/simulated-kubernetes.ts'
import { type Run, userOf } from '#test/conformance/commands.ts'
import { quietLog } from '#test/quiet-log.ts'
import { until } from '#test/until.ts'

const ADDRESS = '127.77.0.1'
const ENDPOINT = `https://${ADDRESS}:6443`

let folder: string
let secrets: SecretsBundle
let kubernetes: SimulatedKubernetes
let run: Run
const complaints: unknown[] = []

const log = quietLog({
  error: (message, fields) => void complaints.push({ message, ...fields }),
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-simulated-'))
  secrets = await generateBundle({ talosVersion: 'v1.13.0', now: systemClock.now() })
  const kubeconfig = join(folder, 'kubeconfig')
  const admin = await kubeconfigFor({
    clusterName: 'prod',
    endpoint: ENDPOINT,
    ca: secrets.kubernetes,
    now: systemClock.now(),
  })
  await writeFile(kubeconfig, admin.open(), { mode: 0o600 })
  const started = await userOf(kubeconfig)
  run = (command, args, input) => started('env', [`HOME=${folder}`, command, ...args], input)
  kubernetes = simulatedKubernetes(factsOf(secrets, { endpoint: ENDPOINT }), {
    clock: systemClock,
    log,
    timing: { podStartMs: 100, podStopMs: 100, podRunMs: 100, nodeGraceMs: 1_000 },
  })
  kubernetes.kubeletUp(aControlPlaneNode('cp-1', { address: ADDRESS }))
  kubernetes.kubeletUp(aNode('worker-1'))
  kubernetes.kubeletUp(aNode('worker-2'))
  kubernetes.controlPlaneUp(aControlPlane('cp-1', { address: ADDRESS }))
  await until('an API', async () => kubernetes.isUp, Boolean)
})

afterAll(async () => {
  await kubernetes?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
  expect(complaints).toEqual([])
})

async function kubectl(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run('kubectl', args)
  if (exitCode !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

test('kubectl sees the nodes as those of a Talos cluster', async () => {
  await kubectl('wait', 'node', '--all', '--for=condition=Ready', '--timeout=20s')

  const lines = (await kubectl('get', 'nodes', '-o', 'wide')).trim().split('\n')

  expect(lines).toHaveLength(4)
  expect(lines[1]).toMatch(
    /^cp-1 +Ready +control-plane +\S+ +v1\.35\.0 +127\.77\.0\.1 +<none> +Talos \(v1\.13\.0\) +6\.18\.24-talos \(amd64\) +containerd:\/\/2\.2\.3$/,
  )
  expect(lines[2]).toMatch(/^worker-1 +Ready +<none> /)
})

test('the API is of the version that the cluster asks for', async () => {
  expect(JSON.parse(await kubectl('version', '-o', 'json'))).toMatchObject({
    serverVersion: { gitVersion: 'v1.35.0', major: '1', minor: '35' },
  })
})

test('the control plane and what Talos installs run, as talosctl health looks for them', async () => {
  await kubectl('-n', 'kube-system', 'rollout', 'status', 'ds/kube-flannel', '--timeout=20s')
  await kubectl('-n', 'kube-system', 'rollout', 'status', 'ds/kube-proxy', '--timeout=20s')
  await kubectl('-n', 'kube-system', 'rollout', 'status', 'deploy/coredns', '--timeout=20s')

  const apps = 'jsonpath={range .items[*]}{.metadata.labels.k8s-app}{"\\n"}{end}'
  const pods = await kubectl('-n', 'kube-system', 'get', 'pods', '-o', apps)
  expect(pods.trim().split('\n').toSorted()).toEqual([
    ...['flannel', 'flannel', 'flannel'],
    ...['kube-apiserver', 'kube-controller-manager', 'kube-dns', 'kube-dns'],
    ...['kube-proxy', 'kube-proxy', 'kube-proxy', 'kube-scheduler'],
  ])
  const versions = 'jsonpath={.metadata.annotations.talos\\.dev/config-version} {.status.hostIP}'
  const apiServer = await kubectl(
    ...['-n', 'kube-system', 'get', 'pod', 'kube-apiserver-cp-1', '-o', versions],
  )
  expect(apiServer).toBe(`1 ${ADDRESS}`)
})

test('the administrator may do everything, and a service account is known by its token', async () => {
  expect(await kubectl('auth', 'can-i', '*', '*')).toBe('yes\n')
  expect(await kubectl('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).toBe(
    'admin',
  )
  const token = (await kubectl('create', 'token', 'default')).trim()

  // No certificate is shown: with one, the token would not be looked at.
  const ca = join(folder, 'ca.crt')
  await writeFile(ca, secrets.kubernetes.certificate)
  const bare = ['--kubeconfig=/dev/null', `--server=${ENDPOINT}`, `--certificate-authority=${ca}`]
  const who = await kubectl(...bare, `--token=${token}`, 'auth', 'whoami', '-o', 'yaml')
  expect(who).toContain('username: system:serviceaccount:default:default')
  const nobody = await run('kubectl', [...bare, '--token=x', 'get', 'pods'])
  expect(nobody.stderr).toContain('Unauthorized')
})

const WORKLOADS = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx:1 }] }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: 2
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: postgres:1 }] }
---
apiVersion: batch/v1
kind: Job
metadata: { name: migrate }
spec:
  template:
    spec: { restartPolicy: Never, containers: [{ name: migrate, image: migrate:1 }] }
---
apiVersion: batch/v1
kind: Job
metadata: { name: broken }
spec:
  backoffLimit: 1
  template:
    spec: { restartPolicy: Never, containers: [{ name: broken, image: migrate:1, command: ["false"] }] }
`

test('workloads are rolled out, changed, scaled and rolled back', async () => {
  const applied = await run('kubectl', ['apply', '-f', '-'], WORKLOADS)
  expect(applied.stderr).toBe('')

  await kubectl('rollout', 'status', 'deploy/web', '--timeout=20s')
  await kubectl('rollout', 'status', 'sts/db', '--timeout=20s')
  await kubectl('wait', 'job/migrate', '--for=condition=Complete', '--timeout=20s')
  await kubectl('wait', 'job/broken', '--for=condition=Failed', '--timeout=20s')

  await kubectl('set', 'image', 'deploy/web', 'web=nginx:2')
  expect(await kubectl('rollout', 'status', 'deploy/web', '--timeout=20s')).toContain(
    'successfully rolled out',
  )
  await kubectl('set', 'image', 'sts/db', 'db=postgres:2')
  await kubectl('rollout', 'status', 'sts/db', '--timeout=20s')
  const images = 'jsonpath={.items[*].spec.containers[0].image}'
  const look = () => kubectl('get', 'pods', '-l', 'app in (web,db)', '-o', images)
  const wanted = 'postgres:2 postgres:2 nginx:2 nginx:2 nginx:2'
  await until('only new pods', look, (seen) => seen === wanted)

  await kubectl('scale', 'deploy/web', '--replicas=1')
  await kubectl('wait', 'deploy/web', '--for=jsonpath={.status.replicas}=1', '--timeout=20s')
  await kubectl('rollout', 'undo', 'deploy/web')
  await kubectl('rollout', 'status', 'deploy/web', '--timeout=20s')
  const image = 'jsonpath={.spec.template.spec.containers[0].image}'
  expect(await kubectl('get', 'deploy/web', '-o', image)).toBe('nginx:1')
  await kubectl('delete', 'deploy/web', 'sts/db', 'job/migrate', 'job/broken')
  await until(
    'no pods',
    () => kubectl('get', 'pods', '-o', 'name'),
    (left) => left === '',
  )
})

const GUARDED = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: guarded }
spec:
  replicas: 2
  selector: { matchLabels: { app: guarded } }
  template:
    metadata: { labels: { app: guarded } }
    spec: { containers: [{ name: web, image: nginx:1 }] }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: guarded }
spec: { minAvailable: 1, selector: { matchLabels: { app: guarded } } }
`

test('a node is cordoned and drained as far as budgets allow, and taken back', async () => {
  await run('kubectl', ['apply', '-f', '-'], GUARDED)
  await kubectl('rollout', 'status', 'deploy/guarded', '--timeout=20s')
  await kubectl('wait', 'pdb/guarded', '--for=jsonpath={.status.disruptionsAllowed}=1')

  const drain = ['drain', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=25s']
  await kubectl(...drain, 'worker-1')
  const nodes = 'jsonpath={.items[*].spec.nodeName}'
  await kubectl('rollout', 'status', 'deploy/guarded', '--timeout=20s')
  expect(await kubectl('get', 'pods', '-l', 'app=guarded', '-o', nodes)).toBe('worker-2 worker-2')
  expect(await kubectl('get', 'node/worker-1')).toContain('Ready,SchedulingDisabled')

  // Nothing else takes the pods: the budget keeps the last one.
  const stuck = await run('kubectl', [...drain.slice(0, 3), '--timeout=8s', 'worker-2'])
  expect(stuck.exitCode).toBe(1)
  expect(stuck.stderr).toContain(
    "Cannot evict pod as it would violate the pod's disruption budget.",
  )

  await kubectl('uncordon', 'worker-1')
  await kubectl('uncordon', 'worker-2')
  await kubectl('rollout', 'status', 'deploy/guarded', '--timeout=20s')
  await kubectl('delete', 'deploy/guarded', 'pdb/guarded')
})

test('a node whose kubelet is silent is lost, and found again', async () => {
  kubernetes.kubeletDown('worker-2')
  await kubectl('wait', 'node/worker-2', '--for=condition=Ready=Unknown', '--timeout=20s')
  const taints = 'jsonpath={.spec.taints[*].key}'
  expect(await kubectl('get', 'node/worker-2', '-o', taints)).toContain('unreachable')

  kubernetes.kubeletUp(aNode('worker-2', { bootId: 'another' }))

  await kubectl('wait', 'node/worker-2', '--for=condition=Ready', '--timeout=20s')
  expect(await kubectl('get', 'node/worker-2', '-o', taints)).toBe('')
})

test('helm installs a chart and waits until it runs', async () => {
  const chart = `${import.meta.dirname}/chart`
  const { exitCode, stdout, stderr } = await run('helm', [
    ...['install', 'shop', chart, '--wait', '--timeout', '40s'],
  ])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toContain('STATUS: deployed')
  const upgraded = await run('helm', [
    ...['upgrade', 'shop', chart, '--set', 'tag=2', '--wait', '--timeout', '40s'],
  ])
  expect(upgraded.exitCode).toBe(0)
  const image = 'jsonpath={.items[*].spec.containers[0].image}'
  expect(await kubectl('get', 'pods', '-l', 'app=shop', '-o', image)).toContain('nginx:2')
  expect((await run('helm', ['uninstall', 'shop', '--wait'])).exitCode).toBe(0)
})

test('without a quorum of etcd the API refuses connections, and is back with it', async () => {
  kubernetes.setQuorum(false)
  await until(
    'an end',
    async () => kubernetes.isUp,
    (isUp) => !isUp,
  )

  const refused = await run('kubectl', ['get', 'nodes', '--request-timeout=5s'])
  expect(refused.stderr).toContain(`${ADDRESS}:6443 was refused`)

  kubernetes.setQuorum(true)
  await until('an API', async () => kubernetes.isUp, Boolean)
  expect(await kubectl('get', 'nodes', '-o', 'name')).toContain('node/worker-2')
})
