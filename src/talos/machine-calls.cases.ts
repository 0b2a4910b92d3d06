import { gzipSync } from 'node:zlib'
import { create } from '@bufbuild/protobuf'
import { anyPack } from '@bufbuild/protobuf/wkt'
import { Secret } from '#base/secret.ts'
import { bytes, type Case, collected, one, textsOf } from './call-case.cases.ts'
import { etcdCases } from './etcd-calls.cases.ts'
import { MachineStatusEventSchema } from './generated/machine/events_pb.ts'
import { ImageService } from './generated/machine/image_pb.ts'
import { LifecycleService } from './generated/machine/lifecycle_pb.ts'
import { MachineService } from './generated/machine/machine_pb.ts'
import { StorageService } from './generated/storage/storage_pb.ts'
import { TimeService } from './generated/time/time_pb.ts'
import type { TalosMachine } from './machine.ts'

const M = MachineService.method

const packed = (text: string): Buffer => {
  const header = Buffer.alloc(512)
  header.write('kubeconfig', 0)
  header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124)
  return gzipSync(Buffer.concat([header, Buffer.from(text)]))
}

const statusEvent = Object.assign(
  anyPack(
    MachineStatusEventSchema,
    create(MachineStatusEventSchema, { stage: 4, status: { ready: true } }),
  ),
  { typeUrl: 'talos/runtime/machine.MachineStatusEvent' },
)

/** Every call of a machine, but for those that read resources. */
export const machineCalls: Case[] = [
  {
    name: 'version',
    method: M.version,
    call: (machine) => machine.version(),
    asked: [{}],
    answers: one({
      version: { tag: 'v1.13.0', sha: 'abc', arch: 'amd64' },
      platform: { name: 'metal', mode: 'metal' },
    }),
    result: { version: 'v1.13.0', sha: 'abc', arch: 'amd64', platform: 'metal', mode: 'metal' },
  },
  {
    name: 'hostname',
    method: M.hostname,
    call: (machine) => machine.hostname(),
    asked: [{}],
    answers: one({ hostname: 'cp-1' }),
    result: 'cp-1',
  },
  {
    name: 'memory',
    method: M.memory,
    call: (machine) => machine.memory(),
    asked: [{}],
    answers: one({ meminfo: { memtotal: 2n, memavailable: 1n } }),
    result: { totalBytes: 2048, availableBytes: 1024 },
  },
  {
    name: 'mounts',
    method: M.mounts,
    call: (machine) => machine.mounts(),
    asked: [{}],
    answers: one({ stats: [{ filesystem: 'sda4', size: 9n, available: 4n, mountedOn: '/var' }] }),
    result: [{ filesystem: 'sda4', sizeBytes: 9, availableBytes: 4, mountedOn: '/var' }],
  },
  {
    name: 'time',
    method: TimeService.method.time,
    call: (machine) => machine.time(),
    asked: [{}],
    answers: one({ server: 'ntp', localtime: { seconds: 1n }, remotetime: { seconds: 2n } }),
    result: { server: 'ntp', local: new Date(1_000), remote: new Date(2_000) },
  },
  {
    name: 'apply',
    method: M.applyConfiguration,
    call: async (machine) => {
      const applied = await machine.configuration.apply({
        configuration: new Secret('version: v1alpha1'),
        mode: 'try',
        dryRun: true,
        tryTimeoutMs: 1_500,
      })
      return { ...applied, details: applied.details.open() }
    },
    asked: [
      {
        data: Buffer.from('version: v1alpha1'),
        mode: 4,
        dryRun: true,
        tryModeTimeout: { seconds: 1n, nanos: 500_000_000 },
      },
    ],
    answers: one({ mode: 2, modeDetails: 'Dry run summary:\nNo changes.', warnings: ['old'] }),
    result: {
      mode: 'no-reboot',
      details: 'Dry run summary:\nNo changes.',
      isUnchanged: true,
      warnings: ['old'],
    },
  },
  ...etcdCases,
  {
    name: 'services.list',
    method: M.serviceList,
    call: (machine) => machine.services.list(),
    asked: [{}],
    answers: one({
      services: [
        {
          id: 'etcd',
          state: 'Running',
          health: { healthy: true, lastMessage: 'fine' },
          events: { events: [{ msg: 'up', state: 'Running', ts: { seconds: 1n } }] },
        },
        { id: 'cri', state: 'Waiting', health: { unknown: true } },
      ],
    }),
    result: [
      {
        id: 'etcd',
        state: 'Running',
        isHealthy: true,
        healthMessage: 'fine',
        events: [{ state: 'Running', message: 'up', at: new Date(1_000) }],
      },
      { id: 'cri', state: 'Waiting', isHealthy: undefined, healthMessage: '', events: [] },
    ],
  },
  ...(['start', 'stop', 'restart'] as const).map((verb) => ({
    name: `services.${verb}`,
    method: { start: M.serviceStart, stop: M.serviceStop, restart: M.serviceRestart }[verb],
    call: (machine: TalosMachine) => machine.services[verb]('kubelet'),
    asked: [{ id: 'kubelet' }],
    answers: one({ resp: 'as you wish' }),
    result: 'as you wish',
  })),
  {
    name: 'upgrade.legacy',
    method: M.upgrade,
    call: (machine) =>
      machine.upgrade.legacy({
        image: 'i',
        preserve: true,
        stage: true,
        force: true,
        powerCycle: true,
      }),
    asked: [{ image: 'i', preserve: true, stage: true, force: true, rebootMode: 1 }],
    answers: one({ ack: 'Upgrade request received', actorId: 'x' }),
    result: { actorId: 'x' },
  },
  {
    name: 'upgrade.lifecycle',
    method: LifecycleService.method.upgrade,
    call: (machine) => collected(machine.upgrade.lifecycle({ image: 'i' })),
    asked: [{ containerd: { driver: 1, namespace: 1 }, source: { imageName: 'i' } }],
    answers: [
      { progress: { response: { case: 'message', value: 'copying' } } },
      { progress: { response: { case: 'exitCode', value: 3 } } },
    ],
    result: [{ message: 'copying' }, { exitCode: 3 }],
  },
  {
    name: 'upgrade.install',
    method: LifecycleService.method.install,
    call: (machine) => collected(machine.upgrade.install({ image: 'i', disk: '/dev/sda' })),
    asked: [
      {
        containerd: { driver: 0, namespace: 1 },
        source: { imageName: 'i' },
        destination: { disk: '/dev/sda' },
      },
    ],
    answers: [{ progress: { response: { case: 'exitCode', value: 0 } } }],
    result: [{ exitCode: 0 }],
  },
  {
    name: 'images.pull',
    method: ImageService.method.pull,
    call: (machine) => machine.images.pull('i:v1', { store: 'kubernetes' }),
    asked: [{ containerd: { driver: 1, namespace: 2 }, imageRef: 'i:v1' }],
    answers: [
      { response: { case: 'pullProgress', value: { layerId: 'a' } } },
      { response: { case: 'name', value: 'i@sha256:1' } },
    ],
    result: 'i@sha256:1',
  },
  {
    name: 'images.pullLegacy',
    method: M.imagePull,
    call: (machine) => machine.images.pullLegacy('i:v1'),
    asked: [{ namespace: 1, reference: 'i:v1' }],
    answers: one(),
    result: undefined,
  },
  {
    name: 'images.list',
    method: M.imageList,
    call: (machine) => machine.images.list(),
    asked: [{ namespace: 2 }],
    answers: [{ name: 'i', digest: 'sha256:1', size: 5n, createdAt: { seconds: 1n } }],
    result: [{ name: 'i', digest: 'sha256:1', sizeBytes: 5, createdAt: new Date(1_000) }],
  },
  {
    name: 'reboot',
    method: M.reboot,
    call: (machine) => machine.reboot({ mode: 'force' }),
    asked: [{ mode: 2 }],
    answers: one({ actorId: 'x' }),
    result: { actorId: 'x' },
  },
  {
    name: 'shutdown',
    method: M.shutdown,
    call: (machine) => machine.shutdown({ force: true }),
    asked: [{ force: true }],
    answers: one({ actorId: 'x' }),
    result: { actorId: 'x' },
  },
  {
    name: 'reset',
    method: M.reset,
    call: (machine) =>
      machine.reset({
        graceful: true,
        reboot: true,
        partitions: ['STATE'],
        userDisks: ['/dev/sdb'],
        wipe: 'system-disk',
      }),
    asked: [
      {
        graceful: true,
        reboot: true,
        systemPartitionsToWipe: [{ label: 'STATE', wipe: true }],
        userDisksToWipe: ['/dev/sdb'],
        mode: 1,
      },
    ],
    answers: one({ actorId: 'x' }),
    result: { actorId: 'x' },
  },
  {
    name: 'rollback',
    method: M.rollback,
    call: (machine) => machine.rollback(),
    asked: [{}],
    answers: one(),
    result: undefined,
  },
  {
    name: 'meta.write',
    method: M.metaWrite,
    call: (machine) => machine.meta.write(10, Buffer.from('v')),
    asked: [{ key: 10, value: Buffer.from('v') }],
    answers: one(),
    result: undefined,
  },
  {
    name: 'meta.delete',
    method: M.metaDelete,
    call: (machine) => machine.meta.delete(10),
    asked: [{ key: 10 }],
    answers: one(),
    result: undefined,
  },
  {
    name: 'storage.disks',
    method: StorageService.method.disks,
    call: (machine) => machine.storage.disks(),
    asked: [{}],
    answers: one({ disks: [{ deviceName: '/dev/sda', size: 9n, type: 3, systemDisk: true }] }),
    result: [
      {
        path: '/dev/sda',
        sizeBytes: 9,
        type: 'nvme',
        model: '',
        serial: '',
        wwid: '',
        busPath: '',
        isSystemDisk: true,
        isReadOnly: false,
      },
    ],
  },
  {
    name: 'storage.wipe',
    method: StorageService.method.blockDeviceWipe,
    call: (machine) => machine.storage.wipe([{ device: 'sdb', zeroes: true, dropPartition: true }]),
    asked: [
      {
        devices: [{ device: 'sdb', method: 1, dropPartition: true, skipVolumeCheck: false }],
      },
    ],
    answers: one(),
    result: undefined,
  },
  {
    name: 'kubeconfig',
    method: M.kubeconfig,
    call: async (machine) => (await machine.kubeconfig()).open(),
    asked: [{}],
    answers: [{ bytes: packed('apiVersion: v1\n') }],
    result: 'apiVersion: v1\n',
  },
  {
    name: 'events',
    method: M.events,
    call: (machine) =>
      collected(machine.events({ tail: -1, afterId: 'a', tailSeconds: 5, actorId: 'b' })),
    asked: [{ tailEvents: -1, tailId: 'a', tailSeconds: 5, withActorId: 'b' }],
    answers: [
      {},
      { id: 'c', actorId: 'b', data: statusEvent },
      { id: 'd', data: { typeUrl: 'talos/runtime/machine.NewEvent', value: new Uint8Array() } },
    ],
    result: [
      {
        id: 'c',
        actorId: 'b',
        payload: create(MachineStatusEventSchema, { stage: 4, status: { ready: true } }),
      },
      { id: 'd', actorId: '', payload: undefined },
    ],
  },
  {
    name: 'serviceLogs',
    method: M.logs,
    call: (machine) => textsOf(machine.serviceLogs('etcd', { tailLines: 3 })),
    asked: [{ namespace: 'system', driver: 0, id: 'etcd', tailLines: 3, follow: false }],
    answers: [bytes('a\n'), bytes('b\n')],
    result: 'a\nb\n',
  },
  {
    name: 'containerLogs',
    method: M.logs,
    call: (machine) => textsOf(machine.containerLogs('kube-system/a:b', { follow: true })),
    asked: [{ namespace: 'k8s.io', driver: 1, id: 'kube-system/a:b', tailLines: -1, follow: true }],
    answers: [bytes('a\n')],
    result: 'a\n',
  },
  {
    name: 'dmesg',
    method: M.dmesg,
    call: (machine) => textsOf(machine.dmesg({ follow: true, tail: true })),
    asked: [{ follow: true, tail: true }],
    answers: [bytes('boot')],
    result: 'boot',
  },
  {
    name: 'bootId',
    method: M.read,
    call: (machine) => machine.bootId(),
    asked: [{ path: '/proc/sys/kernel/random/boot_id' }],
    answers: [bytes('2b6e3b5c-1c8f-4e0f-9d0a-'), bytes('5b8d6f0e7a11\n')],
    result: '2b6e3b5c-1c8f-4e0f-9d0a-5b8d6f0e7a11',
  },
  {
    name: 'readFile',
    method: M.read,
    call: async (machine) => String(await machine.readFile('/etc/hosts')),
    asked: [{ path: '/etc/hosts' }],
    answers: [bytes('a'), bytes('b')],
    result: 'ab',
  },
  {
    name: 'generateClientConfiguration',
    method: M.generateClientConfiguration,
    call: async (machine) => {
      const made = await machine.generateClientConfiguration({
        roles: ['os:reader'],
        lifetimeMs: 60_000,
      })
      return { ...made, key: made.key.open(), talosconfig: made.talosconfig.open() }
    },
    asked: [{ roles: ['os:reader'], crtTtl: { seconds: 60n } }],
    answers: one({
      ca: Buffer.from('ca'),
      crt: Buffer.from('crt'),
      key: Buffer.from('key'),
      talosconfig: Buffer.from('tc'),
    }),
    result: { authority: 'ca', certificate: 'crt', key: 'key', talosconfig: 'tc' },
  },
]
