import { expect, it } from 'vitest'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { aFleet, applying, BOOTSTRAP, configText, stagesOf } from './a-fleet.cases.ts'
import { History } from './history.ts'

const seen = (machines: readonly SimulatedMachine[]) =>
  machines.map(({ stage, isReady, door }) => `${stage} ${isReady} ${door}`)

const RUNS = 'running true cluster'

it('three control planes and two workers become a cluster, stage by stage', async () => {
  const { fleet, boot, seconds, kubernetes } = aFleet(new FakeClock())
  const machines = await boot(5)
  const inMaintenance = seen(machines)
  for (const [index, machine] of machines.entries()) {
    machine.applyConfiguration(applying(configText(index < 3 ? 'controlplane' : 'worker')))
  }
  await seconds(90)
  const installed = seen(machines)
  machines[0]?.bootstrap(BOOTSTRAP)
  await seconds(120)

  expect(inMaintenance).toEqual(machines.map(() => 'maintenance true maintenance'))
  expect(installed).toEqual(machines.map(() => 'booting false cluster'))
  expect(seen(machines)).toEqual(machines.map(() => RUNS))
  for (const { address } of machines) {
    expect(stagesOf(fleet, address)).toEqual([
      ...['booting', 'maintenance', 'booting', 'installing', 'rebooting'],
      ...['booting', 'running'],
    ])
  }
  const [one] = kubernetes
  expect(kubernetes).toHaveLength(1)
  expect([...(one?.nodes.values() ?? [])].map(({ isReady }) => isReady)).toEqual(
    Array(5).fill(true),
  )
  expect(machines[0]?.etcd?.members()).toHaveLength(3)
  expect(machines[1]?.resources.list('cluster', 'Members.cluster.talos.dev')).toHaveLength(5)
})

it('the same seed makes the same history, another seed another one', async () => {
  const historyOf = async (seed: number) => {
    const one = aFleet(new FakeClock(), { seed })
    const [first] = await one.cluster(2, 1)
    first?.reboot('DEFAULT')
    await one.seconds(120)
    const uuids = one.fleet.machines.map(({ hardware }) => hardware.uuid)
    return JSON.stringify([uuids, first?.bootId, one.fleet.history.happenings])
  }
  const [once, again, other] = [await historyOf(7), await historyOf(7), await historyOf(8)]

  expect(again).toBe(once)
  expect(other).not.toBe(once)
})

it('leaves nothing running when the fleet is no more', async () => {
  const clock = new FakeClock()
  const { fleet, cluster, seconds, kubernetes } = aFleet(clock)
  await cluster(1, 1)

  await fleet[Symbol.asyncDispose]()
  await seconds(5)

  expect(clock.waiting).toBe(0)
  expect(kubernetes.map(({ isDisposed }) => isDisposed)).toEqual([true])
})

it('a control plane waits for a bootstrap, and boots again when none came for long', async () => {
  const { fleet, boot, seconds } = aFleet(new FakeClock())
  const [machine] = await boot(1)
  machine?.applyConfiguration(applying(configText('controlplane')))
  await seconds(120)
  const etcd = machine?.services.find(({ id }) => id === 'etcd')
  const bootId = machine?.bootId
  await seconds(75 * 60)

  expect(etcd?.phase).toBe('Preparing')
  expect(machine?.stage).toBe('booting')
  expect(machine?.bootId).not.toBe(bootId)
  expect(stagesOf(fleet, '10.0.0.1').slice(-3)).toEqual(['booting', 'rebooting', 'booting'])
})

it('nobody gets through to a worker until a control plane gives it certificates', async () => {
  const { fleet, boot, seconds } = aFleet(new FakeClock())
  const [worker, controlPlane] = await boot(2)
  worker?.applyConfiguration(applying(configText('worker')))
  await seconds(120)
  const before = worker?.door
  controlPlane?.applyConfiguration(applying(configText('controlplane')))
  await seconds(120)

  expect(before).toBe('shut')
  expect(worker?.door).toBe('cluster')
  expect(fleet.clusters).toHaveLength(1)
})

it('two bootstraps make two etcds that know nothing of each other', async () => {
  const { boot, seconds, kubernetes, fleet } = aFleet(new FakeClock())
  const machines = await boot(3)
  for (const machine of machines) {
    machine.applyConfiguration(applying(configText('controlplane')))
  }
  await seconds(90)
  machines[0]?.bootstrap(BOOTSTRAP)
  machines[1]?.bootstrap(BOOTSTRAP)
  await seconds(120)

  expect(kubernetes).toHaveLength(2)
  expect(fleet.clusters.flatMap(({ halves }) => halves)).toHaveLength(2)
  expect(machines.map(({ etcd }) => etcd?.members().length).sort()).toEqual([1, 2, 2])
})

it('machines of two clusters do not meet', async () => {
  const { fleet, cluster, kubernetes } = aFleet(new FakeClock())
  await cluster(1, 1)
  const others = await cluster(1, 0, { isOther: true, endpoint: 'https://10.0.0.3:6443' })

  expect(fleet.clusters).toHaveLength(2)
  expect(kubernetes.map(({ nodes }) => nodes.size)).toEqual([2, 1])
  expect(others[0]?.resources.list('cluster', 'Members.cluster.talos.dev')).toHaveLength(1)
})

it('a machine that was taken away takes its data along', async () => {
  const { fleet, cluster, seconds, kubernetes } = aFleet(new FakeClock())
  await cluster(1, 1)

  fleet.remove('10.0.0.1')
  await seconds(10)

  expect(fleet.machines.map(({ address }) => address)).toEqual(['10.0.0.2'])
  expect(fleet.clusters[0]?.halves).toEqual([])
  expect(kubernetes[0]?.isDisposed).toBe(true)
  expect(() => fleet.add({ address: '10.0.0.2', talosVersion: 'v1.13.0' })).toThrow(
    'there is a machine at 10.0.0.2 already',
  )
  expect(() => fleet.add({ address: '10.0.0.9', talosVersion: 'v1.99.0' })).toThrow('not served')
})

it('a machine that moves boots at its new address with its disks, and the others find it there', async () => {
  const { fleet, cluster, seconds } = aFleet(new FakeClock())
  const [one, two, three] = await cluster(3, 0)
  const id = two?.etcd?.id

  fleet.move('10.0.0.2', '10.0.0.20')
  await seconds(120)

  expect(fleet.machine('10.0.0.2')).toBeUndefined()
  expect(fleet.machine('10.0.0.20')).toBe(two)
  expect([one, two, three].map((machine) => machine?.stage)).toEqual(Array(3).fill('running'))
  const member = one?.etcd?.members().find((found) => found.id === id)
  expect(member?.peerUrls).toEqual(['https://10.0.0.20:2380'])
  expect(() => fleet.move('10.0.0.1', '10.0.0.20')).toThrow('there is a machine at 10.0.0.20')
  expect(() => fleet.move('10.0.0.2', '10.0.0.30')).toThrow('there is no machine at 10.0.0.2')
})

it('everything is done at once at infinite speed, in the order in which it was asked for', async () => {
  const { cluster } = aFleet(new FakeClock(), { speed: Infinity })
  const machines = await cluster(3, 2)

  expect(seen(machines)).toEqual(machines.map(() => RUNS))
})

it('without two of three control planes there is no quorum, and with them there is again', async () => {
  const { cluster, seconds, kubernetes } = aFleet(new FakeClock())
  const [one, two, three] = await cluster(3, 0)
  two?.powerOff()
  three?.powerOff()
  await seconds(10)
  const etcd = one?.services.find(({ id }) => id === 'etcd')
  const alone = [etcd?.health.isHealthy, one?.isReady, kubernetes[0]?.isUp]
  two?.powerOn()
  await seconds(90)

  expect(alone).toEqual([false, false, false])
  expect([etcd?.health.isHealthy, one?.isReady, two?.stage]).toEqual([true, true, 'running'])
})

it('a machine that left etcd joins it again after a reboot', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [one, two] = await cluster(3, 0)
  const before = two?.etcd?.id
  two?.etcd?.leave()
  await seconds(5)
  const left = [two?.etcd, one?.etcd?.members().length]
  two?.reboot('DEFAULT')
  await seconds(150)

  expect(left).toEqual([undefined, 2])
  expect(one?.etcd?.members()).toHaveLength(3)
  expect(two?.etcd?.id).not.toBe(before)
})

it('a member that others removed stays out, until its data is gone', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [one, two] = await cluster(3, 0)
  one?.etcd?.removeMember(two?.etcd?.id ?? 0n)
  await seconds(5)
  const etcd = two?.services.find(({ id }) => id === 'etcd')

  expect(etcd?.phase).toBe('Waiting')
  expect([two?.isReady, two?.etcd]).toEqual([false, undefined])
})

it('a machine is not ready while its node is not', async () => {
  const { cluster, seconds, kubernetes } = aFleet(new FakeClock())
  const [, worker] = await cluster(1, 1)
  kubernetes[0]?.setNotReady(worker?.hostname ?? '')
  await seconds(1)

  const status = worker?.resources.get('k8s', 'NodeStatuses.kubernetes.talos.dev', worker.hostname)
  expect([worker?.stage, worker?.isReady]).toEqual(['running', false])
  expect(status?.spec).toMatchObject({ nodeReady: false })
})

it.each([
  ['https://10.0.0.1:6443', 'cluster'],
  ['https://load-balancer.example:6443', 'cluster'],
  ['https://10.0.0.2:6443', 'shut'],
])(
  'without discovery a worker finds its control plane by the endpoint %s: %s',
  async (endpoint, door) => {
    const { boot, seconds } = aFleet(new FakeClock())
    const [controlPlane, , worker] = await boot(3)
    const own = { discovery: false, endpoint }
    controlPlane?.applyConfiguration(applying(configText('controlplane', own)))
    worker?.applyConfiguration(applying(configText('worker', own)))
    await seconds(120)

    expect(worker?.door).toBe(door)
    expect(worker?.resources.list('cluster', 'Members.cluster.talos.dev')).toEqual([])
  },
)

it('only so much of the past is remembered', () => {
  const history = new History(new FakeClock())
  for (let count = 1; count <= 45_000; count++) history.add('10.0.0.1', `${count}`)

  expect(history.happenings.length).toBeLessThan(20_000)
  expect(history.happenings.at(-1)?.what).toBe('45000')
})
