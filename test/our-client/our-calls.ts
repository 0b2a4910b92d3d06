import { expect } from 'vitest'
import { Secret } from '#base/secret.ts'
import { collected, textsOf } from '#talos/call-case.cases.ts'
import { outcomeOf } from '#talos/outcome.ts'
import { asking, badly, type OurCall, read } from './our-call.ts'
import { bootstrapped, installer } from './our-fleet.ts'

const NAME = /^talos-\w{3}-\w{3}$/
const BY_DIGEST = /@sha256:[0-9a-f]{64}$/
const KUBERNETES_IMAGE = 'registry.k8s.io/pause:3.10'

const pem = (what: string) =>
  expect.stringMatching(new RegExp(`^-----BEGIN [A-Z0-9 ]*${what}-----\n`))

/** What leaves machines as they are, but for images, META, and the birth of the other cluster. */
export const ourQuietCalls: readonly OurCall[] = [
  read('version', (m) => m.version(), {
    gives: {
      version: 'v1.13.0',
      arch: 'amd64',
      platform: 'metal',
      mode: 'metal',
      sha: expect.any(String),
    },
    bad: 'old in maintenance',
  }),
  read('hostname', (m) => m.hostname(), {
    gives: expect.stringMatching(NAME),
    bad: 'in maintenance',
  }),
  read('memory', (m) => m.memory(), {
    gives: { totalBytes: 8 * 1024 ** 3, availableBytes: expect.any(Number) },
    bad: 'not in maintenance',
  }),
  read('mounts', (m) => m.mounts(), {
    gives: expect.arrayContaining([expect.objectContaining({ mountedOn: '/var' })]),
    bad: 'another cluster',
  }),
  read('time', (m) => m.time(), {
    gives: { server: 'time.cloudflare.com', local: expect.any(Date), remote: expect.any(Date) },
    bad: 'no role',
  }),
  {
    name: 'events',
    good: async ({ machine }) => {
      for await (const { id, payload } of machine('cp1').events({ tail: -1 })) {
        if (payload?.$typeName === 'machine.MachineStatusEvent') return { id, payload }
      }
      return undefined
    },
    gives: {
      id: expect.stringMatching(/^[0-9a-v]{20}$/),
      payload: expect.objectContaining({ status: expect.anything() }),
    },
    ...badly('no role', (m) => m.events().next()),
  },
  read('serviceLogs', (m) => textsOf(m.serviceLogs('etcd')), {
    gives: expect.stringContaining('[Running]'),
    bad: 'no role',
  }),
  {
    name: 'containerLogs',
    good: async ({ machine, inside }) => {
      const id = `kube-system/kube-scheduler-${inside('cp1').hostname}:kube-scheduler`
      return textsOf(machine('cp1').containerLogs(id))
    },
    gives: '',
    bad: asking('cp1', 'admin', (m) => textsOf(m.containerLogs('kube-system/none:none'))),
    fails: { outcome: 'refused' },
  },
  read('dmesg', (m) => textsOf(m.dmesg()), {
    gives: expect.stringContaining('machine is running and ready'),
    bad: 'old in maintenance',
  }),
  {
    ...read('readFile', async (m) => String(await m.readFile('/etc/os-release')), {
      gives: expect.stringContaining('VERSION_ID=v1.13.0'),
      bad: 'operator',
    }),
    bad: asking('cp1', 'admin', (m) => m.readFile('/etc/shadow')),
    fails: { outcome: 'absent' },
  },
  read('bootId', (m) => m.bootId(), {
    gives: expect.stringMatching(/^[0-9a-f-]{36}$/),
    bad: 'reader',
  }),
  read('kubeconfig', async (m) => (await m.kubeconfig()).open(), {
    gives: expect.stringContaining('kind: Config'),
    bad: 'worker',
  }),
  read(
    'generateClientConfiguration',
    async (m) => {
      const roles = ['os:reader']
      const made = await m.generateClientConfiguration({ roles, lifetimeMs: 60_000 })
      return { ...made, key: made.key.open(), talosconfig: made.talosconfig.open() }
    },
    {
      gives: {
        authority: pem('CERTIFICATE'),
        certificate: pem('CERTIFICATE'),
        key: pem('PRIVATE KEY'),
        talosconfig: expect.stringContaining('context: reader@one'),
      },
      bad: 'worker',
    },
  ),
  {
    name: 'configuration.apply',
    good: async ({ machine, config }) => {
      const configuration = new Secret(config('controlplane'))
      const dry = { configuration, mode: 'no-reboot', dryRun: true } as const
      const { mode, isUnchanged, warnings } = await machine('cp1').configuration.apply(dry)
      return { mode, isUnchanged, warnings }
    },
    gives: { mode: 'no-reboot', isUnchanged: true, warnings: [] },
    bad: async ({ machine }) => {
      const configuration = new Secret('version: v1alpha1\nmachine: {foo: bar}\n')
      await machine('cp1').configuration.apply({ configuration, mode: 'auto' })
    },
    fails: { outcome: 'refused' },
  },
  read('services.list', (m) => m.services.list(), {
    gives: expect.arrayContaining([
      expect.objectContaining({ id: 'etcd', state: 'Running', isHealthy: true }),
    ]),
    bad: 'no role',
  }),
  {
    ...read('services.start', (m) => m.services.start('kubelet'), {
      gives: 'Service "kubelet" started',
      bad: 'reader',
    }),
    bad: asking('cp1', 'admin', (m) => m.services.start('none')),
  },
  {
    name: 'services.restart',
    good: async ({ machine, ready }) => {
      const words = await machine('worker', 'operator').services.restart('kubelet')
      await ready(['worker'])
      return words
    },
    gives: 'Service "kubelet" restarted',
    bad: asking('cp1', 'admin', (m) => m.services.restart('etcd')),
    fails: { outcome: 'refused' },
  },
  {
    name: 'images.pull',
    good: asking('worker', 'operator', (m) => m.images.pull(installer('v1.13.2'))),
    gives: expect.stringMatching(BY_DIGEST),
    ...badly('reader', (m) => m.images.pull(installer('v1.13.2'))),
  },
  {
    name: 'images.pullLegacy',
    good: asking('worker', 'admin', (m) =>
      m.images.pullLegacy(KUBERNETES_IMAGE, { store: 'kubernetes' }),
    ),
    gives: undefined,
    bad: asking('worker', 'admin', (m) => m.images.pullLegacy('No Image')),
    fails: { outcome: 'refused' },
  },
  {
    name: 'images.list',
    good: asking('worker', 'reader', (m) => m.images.list()),
    gives: expect.arrayContaining([expect.objectContaining({ name: KUBERNETES_IMAGE })]),
    ...badly('no role', (m) => m.images.list()),
  },
  {
    name: 'meta.write',
    good: asking('worker', 'admin', async (m) => {
      await m.meta.write(10, Buffer.from('v'))
      return m.state.metaKey(10)
    }),
    gives: 'v',
    bad: asking('cp1', 'admin', (m) => m.meta.write(256, Buffer.from('v'))),
    fails: { outcome: 'refused' },
  },
  {
    name: 'meta.delete',
    good: asking('worker', 'admin', async (m) => {
      await m.meta.delete(10)
      return m.state.metaKey(10)
    }),
    gives: undefined,
    bad: asking('cp1', 'admin', (m) => m.meta.delete(99)),
    fails: { outcome: 'already-done' },
  },
  {
    name: 'storage.disks',
    good: asking('old', 'anyone', (m) => m.storage.disks()),
    gives: expect.arrayContaining([expect.objectContaining({ path: '/dev/sda', type: 'ssd' })]),
    ...badly('in maintenance', (m) => m.storage.disks()),
  },
  {
    name: 'storage.wipe',
    good: asking('waiting', 'anyone', (m) => m.storage.wipe([{ device: 'sdb' }])),
    gives: undefined,
    bad: asking('cp1', 'admin', (m) => m.storage.wipe([{ device: 'sdx' }])),
    fails: { outcome: 'absent' },
  },
  {
    name: 'sendSnapshot',
    good: async ({ machine }) =>
      machine('lone', 'other').sendSnapshot(machine('cp1').etcd.snapshot()),
    gives: undefined,
    bad: ({ machine }) => machine('worker').sendSnapshot(machine('cp1').etcd.snapshot()),
    fails: { outcome: 'not-supported' },
  },
  {
    name: 'bootstrap',
    good: async ({ machine, ready }) => {
      await bootstrapped(() => machine('lone', 'other').bootstrap({ recover: true }))
      await ready(['lone'], 'other')
      const { memberId } = await machine('lone', 'other').etcd.status()
      return memberId === (await machine('lone', 'other').cluster.etcdMemberId())
    },
    gives: true,
    bad: asking('cp1', 'admin', (m) => m.bootstrap()),
    fails: { outcome: 'already-done' },
  },
  {
    name: 'upgrade.install',
    // A machine without Talos on its disk takes this only from SideroLink. To us it is done, or refused.
    good: async ({ machine }) =>
      collected(
        machine('cp1').upgrade.install({ image: installer('v1.13.0'), disk: '/dev/sda' }),
      ).catch(outcomeOf),
    gives: 'already-done',
    bad: asking('waiting', 'anyone', (m) =>
      collected(m.upgrade.install({ image: installer('v1.13.0'), disk: '/dev/sda' })),
    ),
    fails: { outcome: 'refused' },
  },
]
