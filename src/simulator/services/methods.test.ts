import { gunzipSync } from 'node:zlib'
import { fromBinary } from '@bufbuild/protobuf'
import { beforeEach, describe, expect, test } from 'vitest'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { EtcdCluster } from '#simulator/etcd/etcd-cluster.ts'
import { seededRandom } from '#simulator/random.ts'
import {
  MachineStatusEvent_MachineStage,
  MachineStatusEventSchema,
} from '#talos/generated/machine/events_pb.ts'
import { ImageService } from '#talos/generated/machine/image_pb.ts'
import { LifecycleService } from '#talos/generated/machine/lifecycle_pb.ts'
import {
  ApplyConfigurationRequest_Mode,
  MachineService,
} from '#talos/generated/machine/machine_pb.ts'
import { StorageService } from '#talos/generated/storage/storage_pb.ts'
import { TimeService } from '#talos/generated/time/time_pb.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { allOf, answerOf, answersOf } from './a-call.cases.ts'
import { aMachine, type TestMachine } from './a-machine.cases.ts'

const methods = MachineService.method

const UNDEFINED_MODE = 9 as never // no such mode is defined, so no type has it

let clock: FakeClock
let machine: TestMachine

beforeEach(() => {
  clock = new FakeClock()
  machine = aMachine(clock, { door: 'cluster', type: 'controlplane' })
})

const calling = () => ({ machine, clock })

describe('commands', () => {
  test('a configuration goes to the machine as text, with its mode, and its answer comes back', async () => {
    const data = Buffer.from('a: 1')
    const request = {
      data,
      mode: ApplyConfigurationRequest_Mode.TRY,
      tryModeTimeout: { seconds: 90n },
    }

    const { messages } = await answerOf(methods.applyConfiguration, request, calling())

    expect(machine.told).toEqual([
      ['applyConfiguration', { text: 'a: 1', mode: 'TRY', dryRun: false, tryTimeoutMs: 90_000 }],
    ])
    expect(messages[0]).toMatchObject({
      warnings: ['a warning'],
      mode: ApplyConfigurationRequest_Mode.NO_REBOOT,
      modeDetails: 'Applied configuration without a reboot',
    })
  })

  test('a mode that nobody has defined is refused', async () => {
    await expect(
      answerOf(methods.applyConfiguration, { mode: UNDEFINED_MODE }, calling()),
    ).rejects.toMatchObject({
      code: 'InvalidArgument',
    })
    expect(machine.told).toEqual([])
  })

  test.each([
    [
      'v1.12.0',
      'worker',
      'bootstrap can only be performed on a control plane node',
      'FailedPrecondition',
    ],
    ['v1.13.0', 'worker', 'bootstrap is only available on control plane nodes', 'Unimplemented'],
    ['v1.13.0', undefined, 'machine type is not set, cannot use bootstrap API', 'Unimplemented'],
  ] as const)('bootstrap on a %s %s: %s', async (...[talosVersion, type, message, code]) => {
    Object.assign(machine, { talosVersion, type })

    await expect(answerOf(methods.bootstrap, {}, calling())).rejects.toMatchObject({
      message,
      code,
    })
  })

  test('a snapshot is received whole, in any number of parts', async () => {
    const parts = [1, 2, 3].map((byte) => ({ bytes: Uint8Array.of(byte) }))
    await answerOf(methods.etcdRecover, parts, calling())

    expect(machine.told).toEqual([['receiveSnapshot', Buffer.from([1, 2, 3])]])
  })

  test('the newer upgrade tells what it does, and ends with its exit code', async () => {
    const containerd = { driver: 1, namespace: 1 } as const
    const request = { containerd, source: { imageName: 'installer@sha256:aa' } }
    const said = await allOf(answersOf(LifecycleService.method.upgrade, request, calling()))

    expect(said.map(({ progress }) => progress?.response.value)).toEqual(['pulled', 0])
    await expect(
      allOf(answersOf(LifecycleService.method.upgrade, { containerd }, calling())),
    ).rejects.toThrow('installer image name is required')
  })

  test('a pulled image is named by its digest; where it goes must be sensible', async () => {
    const { pull } = ImageService.method
    const imageRef = 'ghcr.io/siderolabs/installer:v1.13.1'
    const said = await allOf(
      answersOf(pull, { containerd: { driver: 1, namespace: 1 } as const, imageRef }, calling()),
    )

    expect(said.at(-1)?.response).toEqual({
      case: 'name',
      value: 'ghcr.io/siderolabs/installer@sha256:aa',
    })
    for (const containerd of [
      { driver: 0, namespace: 2 },
      { driver: 1, namespace: 0 },
    ] as const) {
      await expect(
        allOf(answersOf(pull, { containerd, imageRef }, calling())),
      ).rejects.toMatchObject({
        code: 'InvalidArgument',
      })
    }
  })
})

describe('etcd', () => {
  test('without a member there is no etcd to ask, and workers never have one', async () => {
    await expect(answerOf(methods.etcdMemberList, {}, calling())).rejects.toThrow(
      'failed to create etcd client',
    )
    machine.type = 'worker'
    await expect(answerOf(methods.etcdMemberList, {}, calling())).rejects.toThrow(
      'member list is only available on control plane nodes',
    )
  })

  test('members are told by a voter: by others in the place of a learner, or by none', async () => {
    const member = (name: string) => ({ name, peerUrls: [`https://${name}:2380`], clientUrls: [] })
    const etcd = EtcdCluster.bootstrap({ random: seededRandom(1), member: member('m-1') })
    const learner = etcd.addLearner(member('m-2'))
    etcd.start(learner)
    machine.etcd = etcd.member(learner)
    const local = answerOf(methods.etcdMemberList, { queryLocal: true }, calling())
    await expect(local).rejects.toThrow('rpc not supported for learner')
    await expect(answerOf(methods.etcdMemberList, {}, calling())).rejects.toThrow('etcd client')

    machine.clusterEtcd = etcd.member(etcd.leader ?? 0n)
    const { messages } = await answerOf(methods.etcdMemberList, {}, calling())

    expect(messages[0]?.members).toHaveLength(2)
  })

  test('members, status and database are those of the member', async () => {
    const urls = { peerUrls: ['https://10.0.0.1:2380'], clientUrls: ['https://10.0.0.1:2379'] }
    const etcd = EtcdCluster.bootstrap({
      random: seededRandom(1),
      member: { name: 'm-1', ...urls },
    })
    const [id = 0n] = etcd.leader === undefined ? [] : [etcd.leader]
    machine.etcd = etcd.member(id)

    const members = await answerOf(methods.etcdMemberList, {}, calling())
    const status = await answerOf(methods.etcdStatus, {}, calling())

    expect(members.messages[0]?.members).toMatchObject([{ id, hostname: 'm-1', ...urls }])
    expect(status.messages[0]?.memberStatus).toMatchObject({ memberId: id, leader: id })
    const parts = await allOf(answersOf(methods.etcdSnapshot, {}, calling()))
    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).length % 512).toBe(32)
  })
})

describe('events', () => {
  const status = (stage: 'booting' | 'running') =>
    ({ type: 'MachineStatusEvent', stage, isReady: stage === 'running', unmet: [] }) as const

  async function seen(request: object, count: number, change = () => {}) {
    const stop = new AbortController()
    const stream = answersOf(methods.events, request, { ...calling(), signal: stop.signal })
    await stream.next()
    const rest = stream.next()
    // It may fail before anyone waits for it.
    rest.catch(() => {})
    await clock.advance(0)
    change()
    const found = []
    for (let next = await rest; found.length < count && !next.done; next = await stream.next()) {
      found.push(next.value)
      if (found.length === count) break
    }
    stop.abort()
    await stream.return(undefined)
    return found
  }

  test('past ones come if they are asked for, then new ones', async () => {
    machine.events.add(status('booting'), 'a')
    const [old, fresh] = await seen({ tailEvents: -1 }, 2, () =>
      machine.events.add(status('running'), 'b'),
    )

    expect(old).toMatchObject({
      actorId: 'a',
      data: { typeUrl: 'talos/runtime/machine.MachineStatusEvent' },
    })
    const payload = fromBinary(MachineStatusEventSchema, fresh?.data?.value ?? new Uint8Array())
    expect(payload).toMatchObject({
      stage: MachineStatusEvent_MachineStage.RUNNING,
      status: { ready: true },
    })
  })

  test('only those of one actor, or after one that is known', async () => {
    machine.events.add(status('booting'), 'a')
    machine.events.add(status('running'), 'b')
    const tailId = machine.events.kept[0]?.id ?? ''

    expect(await seen({ tailEvents: -1, withActorId: 'b' }, 1)).toMatchObject([{ actorId: 'b' }])
    expect(await seen({ tailId }, 1)).toMatchObject([{ actorId: 'b' }])
    await expect(seen({ tailId: '!' }, 1)).rejects.toThrow('error parsing tail_id')
  })
})

describe('what a machine is', () => {
  test('features are unset without a configuration', async () => {
    const { messages } = await answerOf(methods.version, {}, calling())

    expect(messages[0]).toMatchObject({ version: { tag: 'v1.13.0' }, platform: { mode: 'metal' } })
    expect(messages[0]?.features).toBeUndefined()
  })

  test('memory, processors, disks and time follow from its hardware and its clock', async () => {
    const memory = await answerOf(methods.memory, {}, calling())
    const cpus = await answerOf(methods.cPUInfo, {}, calling())
    const disks = await answerOf(StorageService.method.disks, {}, calling())
    const time = await answerOf(TimeService.method.time, {}, calling())

    expect(memory.messages[0]?.meminfo?.memtotal).toBe(4096n * 1024n)
    expect(cpus.messages[0]?.cpuInfo).toHaveLength(2)
    expect(disks.messages[0]?.disks).toMatchObject([
      { deviceName: '/dev/sda', size: 10_737_418_240n },
    ])
    expect(time.messages[0]?.localtime?.seconds).toBe(BigInt(clock.now().getTime() / 1000))
  })

  test('a file is read, and one that is not there is not found', async () => {
    const parts = await allOf(answersOf(methods.read, { path: '/etc/hostname' }, calling()))

    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()).toBe('talos-1\n')
    await expect(allOf(answersOf(methods.read, { path: '/x' }, calling()))).rejects.toMatchObject({
      code: 'NotFound',
    })
  })

  test('its logs are what its services went through', async () => {
    const parts = await allOf(
      answersOf(methods.logs, { namespace: 'system', id: 'apid', tailLines: -1 }, calling()),
    )

    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()).toContain('Started task apid')
  })
})

test('the kubeconfig is one file in an archive that is never closed', async () => {
  const now = new Date('2029-12-01T00:00:00Z')
  const secrets = await generateBundle({ talosVersion: 'v1.13.0', now })
  machine.config = generateConfig('controlplane', {
    ...{ clusterName: 'one', endpoint: 'https://192.0.2.1:6443', secrets },
    ...{ talosVersion: 'v1.13.0', kubernetesVersion: '1.36.0' },
  })
  const { bytes } = await answerOf(methods.kubeconfig, {}, calling())
  const archive = gunzipSync(bytes)
  const size = Number.parseInt(archive.subarray(124, 136).toString(), 8)

  expect(archive.subarray(0, 10).toString()).toBe('kubeconfig')
  expect(archive.length).toBe(512 + size)
  expect(archive.subarray(512).toString()).toContain('server: https://192.0.2.1:6443')
})
