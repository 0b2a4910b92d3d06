import { expect } from 'vitest'
import { Secret } from '#base/secret.ts'
import * as cluster from '#talos/resources/cluster-kinds.ts'
import * as kinds from '#talos/resources/machine-kinds.ts'
import { asking, badly, type OurCall, read } from './our-call.ts'
import { installer, SCHEMATIC } from './our-fleet.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NAME = /^talos-\w{3}-\w{3}$/
const UNATTENDED = `---
apiVersion: v1alpha1
kind: UnattendedInstallConfig
installer:
  image: ${installer('v1.14.0')}
provisioning:
  diskSelector:
    match: disk.dev_path == "/dev/sda"
`

const like = (pattern: RegExp) => expect.stringMatching(pattern)
const some = (...parts: object[]) =>
  expect.arrayContaining(parts.map((part) => expect.objectContaining(part)))

/** Everything that is read as a resource. */
export const ourStateCalls: readonly OurCall[] = [
  read('resources.get', (m) => m.resources.get(cluster.nodenames, 'nodename'), {
    gives: expect.objectContaining({
      id: 'nodename',
      spec: expect.objectContaining({ nodename: like(NAME) }),
    }),
    bad: 'no role',
  }),
  read('resources.list', (m) => m.resources.list(kinds.machineConfigs), {
    gives: some({ id: 'v1alpha1' }),
    bad: 'reader',
  }),
  {
    name: 'resources.watch',
    good: async ({ machine }) => {
      const seen: string[] = []
      const node = machine('cp1')
      for await (const event of node.resources.watch(kinds.services, { contents: true })) {
        seen.push(event.kind === 'created' ? event.resource.id : event.kind)
        if (event.kind === 'bootstrapped') break
      }
      return seen
    },
    gives: expect.arrayContaining(['etcd', 'kubelet', 'bootstrapped']),
    ...badly('older', (m) => m.resources.watch(kinds.unattendedInstallStatuses, {}).next()),
  },
  read('state.status', (m) => m.state.status(), {
    gives: { stage: 'running', isReady: true, unmetConditions: [] },
    bad: 'in maintenance',
  }),
  read('state.configuration', async (m) => (await m.state.configuration())?.text.open(), {
    gives: expect.stringContaining('clusterName: one'),
    bad: 'operator',
  }),
  read('state.machineType', (m) => m.state.machineType(), {
    gives: 'controlplane',
    bad: 'another cluster',
  }),
  read('state.version', (m) => m.state.version(), { gives: 'v1.13.0', bad: 'not in maintenance' }),
  read('state.extensions', async (m) => (await m.state.extensions()).map(({ name }) => name), {
    gives: ['iscsi-tools'],
    bad: 'no role',
  }),
  read('state.schematic', (m) => m.state.schematic(), { gives: SCHEMATIC, bad: 'in maintenance' }),
  read('state.systemInformation', (m) => m.state.systemInformation(), {
    gives: expect.objectContaining({ uuid: like(UUID) }),
    bad: 'another cluster',
  }),
  read('state.disks', (m) => m.state.disks(), {
    gives: some({ dev_path: '/dev/sda' }, { dev_path: '/dev/sdb' }),
    bad: 'no role',
  }),
  read('state.systemDisk', (m) => m.state.systemDisk(), {
    gives: expect.objectContaining({ diskID: 'sda' }),
    bad: 'not in maintenance',
  }),
  read('state.service', (m) => m.state.service('etcd'), {
    gives: { running: true, healthy: true, unknown: false },
    bad: 'no role',
  }),
  read('state.diagnostics', (m) => m.state.diagnostics(), { gives: [], bad: 'in maintenance' }),
  read('state.timeStatus', (m) => m.state.timeStatus(), {
    gives: { synced: true, epoch: expect.any(Number), syncDisabled: false },
    bad: 'no role',
  }),
  read('state.securityState', (m) => m.state.securityState(), {
    gives: expect.objectContaining({ secureBoot: false }),
    bad: 'another cluster',
  }),
  read('state.platformMetadata', (m) => m.state.platformMetadata(), {
    gives: { platform: 'metal', instanceId: like(UUID) },
    bad: 'no role',
  }),
  {
    name: 'state.unattendedInstallStatus',
    good: async ({ machine, config, answers }) => {
      const whole = config('controlplane', 'other').replace(/^ {4}install:\n( {8}.*\n)+/m, '')
      const configuration = new Secret(`${whole}${UNATTENDED}`)
      await machine('newest', 'anyone').configuration.apply({ configuration, mode: 'auto' })
      return answers(
        'an installation',
        () => machine('newest', 'other').state.unattendedInstallStatus(),
        (seen) => seen?.phase === 'installed',
      )
    },
    gives: { image: installer('v1.14.0'), phase: 'installed', error: '' },
    ...badly('older', (m) => m.state.unattendedInstallStatus()),
  },
  {
    name: 'state.isRebootRequested',
    good: asking('newest', 'other', (m) => m.state.isRebootRequested()),
    gives: false,
    ...badly('older', (m) => m.state.isRebootRequested()),
  },
  read(
    'state.metaKey',
    async (m) => {
      await m.meta.write(11, Buffer.from('kept'))
      return m.state.metaKey(11)
    },
    { gives: 'kept', bad: 'reader' },
  ),
  {
    name: 'cluster.members',
    good: asking('worker', 'reader', (m) => m.cluster.members()),
    gives: some({ machineType: 'controlplane' }, { machineType: 'worker' }),
    ...badly('no role', (m) => m.cluster.members()),
  },
  read('cluster.nodeAddresses', (m) => m.cluster.nodeAddresses(), {
    gives: [like(/^127\.61\.1\.1\/\d+$/)],
    bad: 'in maintenance',
  }),
  read('cluster.hostname', (m) => m.cluster.hostname(), {
    gives: { hostname: like(NAME), domainname: '' },
    bad: 'no role',
  }),
  read('cluster.etcdMemberId', (m) => m.cluster.etcdMemberId(), {
    gives: expect.any(BigInt),
    bad: 'another cluster',
  }),
  read('cluster.nodename', (m) => m.cluster.nodename(), { gives: like(NAME), bad: 'no role' }),
  read(
    'cluster.nodeStatus',
    async (m) => m.cluster.nodeStatus((await m.cluster.nodename()) ?? ''),
    {
      gives: expect.objectContaining({ nodeReady: true, unschedulable: false }),
      bad: 'not in maintenance',
    },
  ),
  read('cluster.staticPods', (m) => m.cluster.staticPods(), {
    gives: some({ id: like(/^kube-system\/kube-apiserver-/), phase: 'Running' }),
    bad: 'no role',
  }),
  read('cluster.component', (m) => m.cluster.component('kube-scheduler'), {
    gives: { image: 'registry.k8s.io/kube-scheduler:v1.32.0', version: expect.anything() },
    bad: 'in maintenance',
  }),
  read('cluster.manifests', (m) => m.cluster.manifests(), {
    gives: expect.any(Array),
    bad: 'no role',
  }),
]
