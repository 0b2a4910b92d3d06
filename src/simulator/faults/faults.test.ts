import { expect, it } from 'vitest'
import {
  aFleet,
  applying,
  BOOTSTRAP,
  configText,
  refusalOf,
  refusalText,
  resetting,
  upgrading,
} from '#simulator/fleet/a-fleet.cases.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { Faults } from './faults.ts'
import { parseFault } from './parse-fault.ts'

const text = configText('controlplane')
const ONE = { address: '10.0.0.1', uuid: 'one', hostname: 'first' }
const OTHER = { address: '10.0.0.2', uuid: 'two', hostname: 'second' }

it('a fault is about the machine that it names, by address, UUID or host name', () => {
  for (const name of Object.values(ONE)) {
    const faults = new Faults(new FakeClock())
    faults.add(parseFault(`falls-back:${name}`))

    expect(faults.find('falls-back', OTHER)).toBeUndefined()
    expect(faults.find('falls-back', ONE)).toBeDefined()
  }
})

it('a fault strikes as often as it says, from when on and as long as it says', async () => {
  const clock = new FakeClock()
  const faults = new Faults(clock)
  faults.add(parseFault('loses-reply,times=2,after=10s,for=20s'))
  const wire = faults.wireOf(ONE)
  const early = wire.losesReply('/x/Y')
  await clock.advance(10_000)
  const inTime = wire.losesReply('/x/Y')
  await clock.advance(20_000)

  expect([early, inTime, wire.losesReply('/x/Y')]).toEqual([false, true, false])
  faults.add(parseFault('loses-reply,times=2'))
  expect([1, 2, 3].map(() => wire.losesReply('/x/Y'))).toEqual([true, true, false])
})

it('the wire of a machine is refused, silent or slow, and tells when that changes', () => {
  const faults = new Faults(new FakeClock())
  const wire = faults.wireOf(ONE)
  let told = 0
  wire.onChange(() => told++)
  const end = faults.add(parseFault('unreachable:10.0.0.1,how=refused'))
  const refused = [wire.isUnreachable, wire.isBlackHole]
  end()
  faults.add(parseFault('unreachable:10.0.0.1'))
  faults.add(parseFault('slow,by=1s,call=/Version'))

  expect(refused).toEqual([true, false])
  expect([wire.isUnreachable, wire.isBlackHole, told]).toEqual([false, true, 3])
  expect(faults.wireOf(OTHER).isBlackHole).toBe(false)
  expect(['/machine.MachineService/Version', '/x/Y'].map(wire.latencyMs)).toEqual([1000, 0])
})

it.each([
  ['before-install', undefined, 'maintenance'],
  ['after-install', 'v1.13.0', 'booting'],
  ['after-apply', undefined, 'maintenance'],
])('a machine that dies %s has %s on its disk, and wakes up %s', async (at, installed, stage) => {
  const { fleet, boot, seconds } = aFleet(new FakeClock())
  const [machine] = await boot(1)
  fleet.faults.add(parseFault(`dies:10.0.0.1,at=${at}`))
  try {
    machine?.applyConfiguration(applying(text))
  } catch (error) {
    expect(refusalText(error)).toBe('Unavailable: the machine went down')
  }
  await seconds(90)
  const dead = [machine?.isOn, machine?.door, machine?.installedVersion]
  machine?.powerOn()
  await seconds(60)

  expect(dead).toEqual([false, 'shut', installed])
  expect(machine?.stage).toBe(stage)
})

it.each([
  ['before-upgrade', false],
  ['after-upgrade', false],
  ['before-upgrade', true],
  ['after-upgrade', true],
])('a machine dies %s, staged: %s', async (at, stage) => {
  const { fleet, cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  fleet.faults.add(parseFault(`dies,at=${at}`))
  const upgrade = machine?.upgrade(upgrading('v1.13.4', { stage }))
  await seconds(120)
  await upgrade
  const isOn = machine?.isOn
  machine?.powerOn()
  await seconds(90)

  expect(isOn).toBe(false)
  expect(machine?.talosVersion).toBe(at === 'after-upgrade' ? 'v1.13.4' : 'v1.13.0')
})

it.each(['before-reset', 'after-reset'])('a machine dies %s', async (at) => {
  const { fleet, cluster, seconds } = aFleet(new FakeClock())
  const [, worker] = await cluster(1, 1)
  fleet.faults.add(parseFault(`dies,at=${at}`))
  worker?.reset(resetting())
  await seconds(120)

  expect(worker?.isOn).toBe(false)
  expect(worker?.installedVersion).toBe(at === 'before-reset' ? 'v1.13.0' : undefined)
})

it('a machine dies after a bootstrap, or before it joins, or before it reboots', async () => {
  const { fleet, boot, seconds } = aFleet(new FakeClock())
  const [one, two] = await boot(2)
  for (const machine of [one, two]) machine?.applyConfiguration(applying(text))
  fleet.faults.add(parseFault('dies:10.0.0.2,at=before-etcd-join'))
  await seconds(120)
  fleet.faults.add(parseFault('dies:10.0.0.1,at=after-bootstrap'))

  expect(two?.isOn).toBe(false)
  expect(refusalOf(() => one?.bootstrap(BOOTSTRAP))).toContain('Unavailable')
  expect(one?.isOn).toBe(false)
})

it('without its disk a machine boots from its medium, and finds everything when the disk is back', async () => {
  const { fleet, cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const end = fleet.faults.add(parseFault('disk-missing:10.0.0.1'))
  machine?.reboot('DEFAULT')
  await seconds(120)
  const without = [
    machine?.stage,
    machine?.resources.list('runtime', 'Disks.block.talos.dev').length,
  ]
  end()
  machine?.reboot('DEFAULT')
  await seconds(120)

  expect(without).toEqual(['maintenance', 1])
  expect(machine?.stage).toBe('running')
})

it('with a wrong clock a machine is not bootstrapped', async () => {
  const { fleet, boot, seconds } = aFleet(new FakeClock())
  const end = fleet.faults.add(parseFault('clock-skew:10.0.0.1,by=-1h'))
  const [machine] = await boot(1)
  machine?.applyConfiguration(applying(text))
  await seconds(120)
  const refusal = refusalOf(() => machine?.bootstrap(BOOTSTRAP))
  const skew = machine?.clockSkewMs
  end()
  await seconds(30)
  machine?.bootstrap(BOOTSTRAP)
  await seconds(60)

  expect(refusal).toBe('FailedPrecondition: time is not in sync yet')
  expect(skew).toBe(-3_600_000)
  expect(machine?.stage).toBe('running')
})

it('what no registry has is waited for by services, and refused to clients', async () => {
  const { fleet, boot, seconds } = aFleet(new FakeClock())
  const end = fleet.faults.add(parseFault('registry-refuses,image=kubelet'))
  const [machine] = await boot(1)
  machine?.applyConfiguration(applying(text))
  await seconds(120)
  const kubelet = machine?.services.find(({ id }) => id === 'kubelet')?.phase
  const pull = machine?.images.pull('ghcr.io/siderolabs/kubelet:v1.35.0', 'cri').catch(refusalText)
  await seconds(30)
  end()
  await seconds(30)

  expect(kubelet).toBe('Preparing')
  expect(await pull).toMatch(/^NotFound: failed to pull image .*: not found$/)
  expect(machine?.services.find(({ id }) => id === 'kubelet')?.phase).toBe('Running')
})

it('an installer that no registry has fails the installation', async () => {
  const { fleet, boot, seconds } = aFleet(new FakeClock())
  fleet.faults.add(parseFault('registry-refuses,image=installer'))
  const [machine] = await boot(1)
  machine?.applyConfiguration(applying(text))
  await seconds(90)

  expect(machine?.stage).toBe('maintenance')
  expect(machine?.installedVersion).toBeUndefined()
})

it('etcd raises an alarm', async () => {
  const { fleet, cluster } = aFleet(new FakeClock())
  fleet.faults.add(parseFault('etcd-alarm:10.0.0.1,alarm=CORRUPT'))
  const [machine] = await cluster(1, 0)

  expect(machine?.etcd?.alarms().map(({ alarm }) => alarm)).toEqual(['CORRUPT'])
})

it('another machine takes over an address', async () => {
  const { fleet, cluster, seconds } = aFleet(new FakeClock())
  const [, worker] = await cluster(1, 1)
  fleet.faults.add(parseFault('wrong-machine:10.0.0.2,after=5s'))
  await seconds(60)
  const now = fleet.machine('10.0.0.2')

  expect(now?.hardware.uuid).not.toBe(worker?.hardware.uuid)
  expect([worker?.isOn, now?.stage]).toEqual([false, 'maintenance'])
})

it('control planes that nobody reaches take no part in etcd and in Kubernetes', async () => {
  const { fleet, cluster, seconds, kubernetes } = aFleet(new FakeClock())
  const [one, two] = await cluster(3, 0)
  const end = fleet.faults.add(parseFault('unreachable:10.0.0.2'))
  await seconds(10)
  const withTwo = [one?.etcd?.members().length, kubernetes[0]?.kubelets.has(two?.hostname ?? '')]
  fleet.faults.add(parseFault('unreachable:10.0.0.3,for=60s'))
  await seconds(10)
  const alone = refusalOf(() => one?.etcd?.members())
  const isUp = kubernetes[0]?.isUp
  await seconds(90)
  const again = one?.etcd?.members().length
  end()
  await seconds(30)

  expect(withTwo).toEqual([3, false])
  expect([alone, isUp]).toEqual(['Unknown: etcdserver: no leader', false])
  expect(again).toBe(3)
  expect(kubernetes[0]?.kubelets.has(two?.hostname ?? '')).toBe(true)
  expect(fleet.machines.map(({ isReady }) => isReady)).toEqual([true, true, true])
})

it('where etcd fails the machine answers, and takes no part in etcd and the API', async () => {
  const { fleet, cluster, seconds, kubernetes } = aFleet(new FakeClock())
  const [one, two, three] = await cluster(3, 0)
  const unready = () => fleet.machines.filter(({ isReady }) => !isReady)
  fleet.faults.add(parseFault('etcd-down:10.0.0.2,for=5m'))
  await seconds(10)
  const down = [two?.etcd, two?.door, two?.stage, unready()]
  const apis = [...(kubernetes[0]?.controlPlanes.keys() ?? [])]
  const endOther = fleet.faults.add(parseFault('etcd-down:10.0.0.3'))
  await seconds(10)
  const alone = refusalOf(() => one?.etcd?.members())
  endOther()
  await seconds(30)
  const again = one?.etcd?.members().length
  await seconds(300)

  expect(down).toEqual([undefined, 'cluster', 'running', [two]])
  expect(apis).toEqual(['10.0.0.1', '10.0.0.3'])
  expect(alone).toBe('Unknown: etcdserver: no leader')
  expect([again, three?.isReady, unready()]).toEqual([3, true, []])
})

it('a machine on which etcd fails is reset without leaving it, and boots into the same', async () => {
  const { fleet, cluster, seconds } = aFleet(new FakeClock())
  const [one, two, three] = await cluster(3, 0)
  fleet.faults.add(parseFault('etcd-down'))
  await seconds(10)
  three?.reboot('DEFAULT')
  two?.reset(resetting())
  await seconds(120)
  const phase = three?.services.find(({ id }) => id === 'etcd')?.phase
  const left = fleet.history.of('10.0.0.2').some(({ what }) => what === 'leaves etcd')

  expect([one?.etcd, phase, left]).toEqual([undefined, 'Waiting', false])
})

it('a disk that is missing is in no list', async () => {
  const { fleet, boot } = aFleet(new FakeClock())
  const [machine] = await boot(1)
  fleet.faults.add(parseFault('disk-missing,disk=/dev/sdb'))

  expect(machine?.disks.map(({ path }) => path)).toEqual(['/dev/sda'])
})

it('a fault of a call is of that call, and not of others that end alike', () => {
  const faults = new Faults(new FakeClock())
  faults.add(parseFault('loses-reply,call=List,times=9'))
  faults.add(parseFault('slow,call=LifecycleService/Upgrade,by=1s'))
  const { losesReply, latencyMs } = faults.wireOf(ONE)

  expect(losesReply('/machine.MachineService/EtcdMemberList')).toBe(false)
  expect(losesReply('/cosi.resource.State/List')).toBe(true)
  expect(latencyMs('/machine.LifecycleService/Upgrade')).toBe(1000)
  expect(latencyMs('/machine.MachineService/Upgrade')).toBe(0)
})

it('a control plane that nobody reaches gives no certificates', async () => {
  const { fleet, cluster, boot, seconds } = aFleet(new FakeClock())
  await cluster(1, 0)
  const end = fleet.faults.add(parseFault('unreachable:10.0.0.1'))
  const [worker] = await boot(1)
  worker?.applyConfiguration(applying(configText('worker')))
  await seconds(120)
  const before = worker?.door
  end()
  await seconds(60)

  expect([before, worker?.door]).toEqual(['shut', 'cluster'])
})
