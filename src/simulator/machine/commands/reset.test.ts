import { expect, it } from 'vitest'
import {
  aFleet,
  applying,
  BOOTSTRAP,
  configText,
  refusalOf,
  resetting,
  stagesOf,
} from '#simulator/fleet/a-fleet.cases.ts'
import { FakeClock } from '#test/fake-clock.ts'

const keepingTalos = [
  { label: 'STATE', wipe: true },
  { label: 'EPHEMERAL', wipe: true },
]

it('a graceful reset leaves etcd, and the machine comes back in maintenance mode', async () => {
  const { cluster, seconds, fleet, kubernetes } = aFleet(new FakeClock())
  const [one, two] = await cluster(3, 0)
  const name = two?.hostname
  two?.reset(resetting({ partitions: keepingTalos }))
  await seconds(100)

  expect(stagesOf(fleet, '10.0.0.2').slice(-3)).toEqual(['resetting', 'booting', 'maintenance'])
  expect(two?.installedVersion).toBe('v1.13.0')
  expect(one?.etcd?.members()).toHaveLength(2)
  expect(kubernetes[0]?.told).toContain(`drain ${name}`)
  expect(one?.resources.list('cluster', 'Members.cluster.talos.dev')).toHaveLength(2)
})

it('a machine that was reset joins again without being installed', async () => {
  const { cluster, seconds, fleet } = aFleet(new FakeClock())
  const [one, two] = await cluster(3, 0)
  two?.reset(resetting({ partitions: keepingTalos }))
  await seconds(100)
  two?.applyConfiguration(applying(configText('controlplane')))
  await seconds(120)

  expect(two?.stage).toBe('running')
  expect(stagesOf(fleet, '10.0.0.2').slice(-3)).toEqual(['maintenance', 'booting', 'running'])
  expect(one?.etcd?.members()).toHaveLength(3)
})

it('a reset that is not graceful leaves a member behind, in the way of the machine until somebody removes it', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [one, two] = await cluster(3, 0)
  const before = two?.etcd?.id ?? 0n
  two?.reset(resetting({ graceful: false, partitions: keepingTalos }))
  await seconds(100)
  two?.applyConfiguration(applying(configText('controlplane')))
  await seconds(120)
  const waiting = [two?.stage, one?.etcd?.members().some(({ id }) => id === before)]
  one?.etcd?.removeMember(before)
  await seconds(60)

  expect(waiting).toEqual(['booting', true])
  expect(two?.stage).toBe('running')
  expect(one?.etcd?.members()).toHaveLength(3)
})

it('a machine that comes back under the same name removes its own former member', async () => {
  const { cluster, boot, seconds } = aFleet(new FakeClock())
  const [one] = await cluster(2, 0)
  const [three] = await boot(1)
  const named = configText('controlplane').replace('auto: stable', 'auto: off\nhostname: three')
  three?.applyConfiguration(applying(named))
  await seconds(120)
  const before = three?.etcd?.id
  three?.reset(resetting({ graceful: false, partitions: keepingTalos }))
  await seconds(100)
  three?.applyConfiguration(applying(named))
  await seconds(120)

  expect(three?.hostname).toBe('three')
  expect(three?.stage).toBe('running')
  expect(three?.etcd?.id).not.toBe(before)
  expect(one?.etcd?.members()).toHaveLength(3)
})

it('without labels the whole disk is wiped; without a reboot the machine is off', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [, , worker] = await cluster(1, 2)
  worker?.writeMeta(0x0c, Buffer.from('mine'))
  worker?.reset(resetting({ reboot: false }))
  await seconds(100)
  const off = [worker?.isOn, worker?.door, worker?.installedVersion]
  worker?.powerOn()
  await seconds(60)

  expect(off).toEqual([false, 'shut', undefined])
  expect(worker?.stage).toBe('maintenance')
  expect(worker?.resources.list('runtime', 'MetaKeys.runtime.talos.dev')).toEqual([])
})

it.each([
  ['v1.13.0', 'v1.13.0'],
  ['v1.9.0', undefined],
])(
  '%s: partitions that are named, but not to be wiped, leave %s on the disk',
  async (talosVersion, left) => {
    const { cluster, seconds } = aFleet(new FakeClock())
    const [, worker] = await cluster(1, 1, { talosVersion, kubernetesVersion: '1.32.0' })
    worker?.reset(resetting({ partitions: [{ label: 'STATE', wipe: false }], reboot: false }))
    await seconds(60)

    expect([worker?.isOn, worker?.installedVersion]).toEqual([false, left])
  },
)

it('without a majority a graceful reset fails at once, and the machine boots as it was', async () => {
  const { cluster, seconds, fleet } = aFleet(new FakeClock())
  const [one, two, three] = await cluster(3, 0)
  two?.powerOff()
  three?.powerOff()
  await seconds(10)
  one?.reset(resetting())
  await seconds(150)

  expect(stagesOf(fleet, '10.0.0.1').slice(-3)).toEqual(['resetting', 'rebooting', 'booting'])
  expect(one?.installedVersion).toBe('v1.13.0')
})

it('what cannot be wiped is refused', async () => {
  const { cluster } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const reset = (own: Parameters<typeof resetting>[0]) =>
    refusalOf(() => machine?.reset(resetting(own)))

  expect(reset({ partitions: [{ label: 'FOO', wipe: true }] })).toContain(
    'Unknown: failed to get volume status with label "FOO"',
  )
  expect(reset({ userDisks: ['/dev/sda'] })).toContain('device /dev/sda is the system disk')
  expect(reset({ userDisks: ['/dev/sdx'] })).toContain("device /dev/sdx wasn't found")
  expect(reset({ userDisks: ['/dev/sdb'], mode: 'SYSTEM_DISK' })).toContain('mode SYSTEM_DISK')
  expect(reset({ partitions: keepingTalos, mode: 'USER_DISKS' })).toContain('mode USER_DISKS')
  expect(machine?.stage).toBe('running')
})

it('one sequence at a time: the answer is good, the event says that it did not start', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [, worker] = await cluster(1, 1)
  worker?.reset(resetting({ partitions: keepingTalos }))
  await seconds(1)
  const { actorId } = worker?.reset(resetting()) ?? {}
  const locked = worker?.events.kept.find((event) => event.actorId === actorId)

  expect(locked?.payload).toEqual({
    ...{ type: 'SequenceEvent', sequence: 'reset', action: 'NOOP' },
    error: { code: 'LOCKED', message: 'sequence not started: locked' },
  })
  await seconds(100)
  expect(worker?.installedVersion).toBe('v1.13.0')
})

it('bootstrap is refused with the code of each reason', async () => {
  const { cluster, boot, seconds } = aFleet(new FakeClock())
  const [controlPlane, worker] = await cluster(1, 1)
  const [early] = await boot(1)
  const [old] = await boot(1, { talosVersion: 'v1.11.0' })
  const own = { talosVersion: 'v1.11.0', kubernetesVersion: '1.34.0' }
  old?.applyConfiguration(applying(configText('worker', own)))
  await seconds(120)
  const bootstrap = (machine: typeof old) => refusalOf(() => machine?.bootstrap(BOOTSTRAP))

  expect(bootstrap(early)).toBe('FailedPrecondition: bootstrap is not available yet')
  expect(bootstrap(worker)).toBe(
    'Unimplemented: bootstrap is only available on control plane nodes',
  )
  expect(bootstrap(old)).toBe(
    'FailedPrecondition: bootstrap can only be performed on a control plane node',
  )
  expect(bootstrap(controlPlane)).toBe('AlreadyExists: etcd data directory is not empty')
})

it('META is kept through everything but a wipe of it', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  machine?.writeMeta(0x0a, Buffer.from('addresses: []'))
  machine?.reboot('POWERCYCLE')
  await seconds(120)

  expect(machine?.resources.get('runtime', 'MetaKeys.runtime.talos.dev', '0x0a')?.spec).toEqual({
    value: 'addresses: []',
  })
  expect(refusalOf(() => machine?.writeMeta(256, new Uint8Array(1)))).toBe(
    'InvalidArgument: key must be a uint8',
  )
  expect(refusalOf(() => machine?.writeMeta(1, new Uint8Array(2 ** 20)))).toBe(
    'ResourceExhausted: meta write failed',
  )
  expect(refusalOf(() => machine?.deleteMeta(3))).toBe('NotFound: meta key not found')
})

it('only the kubelet is started and restarted by clients', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const answer = machine?.restartService('kubelet')
  await seconds(30)

  expect(answer).toBe('Service "kubelet" restarted')
  expect(machine?.services.find(({ id }) => id === 'kubelet')?.phase).toBe('Running')
  expect(refusalOf(() => machine?.restartService('etcd'))).toBe(
    'Unknown: service "etcd" doesn\'t support restart operation via API',
  )
  expect(refusalOf(() => machine?.stopService('kubelet'))).toContain("doesn't support stop")
  expect(refusalOf(() => machine?.startService('foo'))).toBe('Unknown: service "foo" not defined')
  expect(refusalOf(() => machine?.wipeDevices(['sda']))).toContain('FailedPrecondition')
  expect(refusalOf(() => machine?.wipeDevices(['sdx']))).toContain('NotFound')
})
