import { expect, it } from 'vitest'
import { aFleet, applying, configText } from '#simulator/fleet/a-fleet.cases.ts'
import { FakeClock } from '#test/fake-clock.ts'

const text = (role: 'controlplane' | 'worker', network: object) =>
  configText(role).replace(/^ {4}type: /m, `    network: ${JSON.stringify(network)}\n    type: `)

const ELSEWHERE = { interfaces: [{ interface: 'eth0', addresses: ['10.9.9.9/24'] }] }
const BLOCK = '---\napiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: block\n'

it('a configuration with another address cuts the machine off, after it has answered', async () => {
  const { cluster, seconds, kubernetes } = aFleet(new FakeClock())
  const [, , three] = await cluster(3, 0)
  const wire = three?.wireFaults
  const isMember = () => kubernetes[0]?.kubelets.has(three?.hostname ?? '')
  let told = 0
  wire?.onChange(() => told++)
  const before = [wire?.isBlackHole, isMember()]
  three?.applyConfiguration(applying(text('controlplane', ELSEWHERE)))
  const atOnce = wire?.isBlackHole
  await seconds(10)

  expect(before).toEqual([false, true])
  expect(atOnce).toBe(false)
  expect([wire?.isBlackHole, isMember(), told]).toEqual([true, false, 1])
  expect(three?.stage).toBe('running')
})

it('etcd goes on without a machine that has lost its address', async () => {
  const { cluster, seconds, fleet } = aFleet(new FakeClock())
  const [one, , three] = await cluster(3, 0)
  three?.applyConfiguration(applying(text('controlplane', ELSEWHERE)))
  await seconds(10)
  const members = fleet.clusters[0]?.halves[0]?.etcd.members ?? []
  const away = members.filter(({ isRunning }) => !isRunning).map(({ peerUrls }) => peerUrls[0])

  expect(away).toEqual(['https://10.0.0.3:2380'])
  expect(one?.etcd?.members()).toHaveLength(3)
})

it('what was only tried is taken back, and the machine is there again', async () => {
  const { cluster, seconds, fleet, kubernetes } = aFleet(new FakeClock())
  const [, worker] = await cluster(1, 1)
  const wire = worker?.wireFaults
  const tried = applying(text('worker', ELSEWHERE), { mode: 'TRY', tryTimeoutMs: 90_000 })
  worker?.applyConfiguration(tried)
  await seconds(80)
  const inTime = wire?.isBlackHole
  await seconds(20)

  expect([inTime, wire?.isBlackHole]).toEqual([true, false])
  expect(kubernetes[0]?.kubelets.has(worker?.hostname ?? '')).toBe(true)
  expect(fleet.history.of('10.0.0.2').map(({ what }) => what)).toEqual(
    expect.arrayContaining(['loses its address', 'has its address again']),
  )
})

it('a boot does not help where the configuration was saved, and does where it was tried', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [, saved, tried] = await cluster(1, 2)
  saved?.applyConfiguration(applying(text('worker', ELSEWHERE)))
  tried?.applyConfiguration(applying(text('worker', ELSEWHERE), { mode: 'TRY' }))
  await seconds(5)
  const before = [saved, tried].map((machine) => machine?.wireFaults.isBlackHole)
  for (const machine of [saved, tried]) {
    machine?.powerOff()
    machine?.powerOn()
  }
  await seconds(120)

  expect(before).toEqual([true, true])
  expect([saved, tried].map((machine) => machine?.wireFaults.isBlackHole)).toEqual([true, false])
})

it('a firewall keeps new callers out, and leaves the machine in its cluster', async () => {
  const { cluster, seconds, kubernetes } = aFleet(new FakeClock())
  const [, worker] = await cluster(1, 1)
  const tried = applying(`${configText('worker')}${BLOCK}`, { mode: 'TRY' })
  worker?.applyConfiguration(tried)
  await seconds(10)
  const { isBlackHole, ignoresNew } = worker?.wireFaults ?? {}
  const isThere = kubernetes[0]?.kubelets.has(worker?.hostname ?? '')
  await seconds(60)

  expect([isBlackHole, ignoresNew, isThere]).toEqual([false, true, true])
  expect(worker?.wireFaults.ignoresNew).toBe(false)
})

it('the network of a container is not for Talos to change', async () => {
  const { fleet, seconds } = aFleet(new FakeClock())
  const machine = fleet.add({
    ...{ address: '10.0.0.1', talosVersion: 'v1.13.0', platform: 'container' },
    userData: text('controlplane', ELSEWHERE),
  })
  await seconds(60)

  expect(machine.wireFaults.isBlackHole).toBe(false)
})
