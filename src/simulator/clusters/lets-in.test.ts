import { expect, it } from 'vitest'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { aFleet, applying, configText } from '#simulator/fleet/a-fleet.cases.ts'
import { FakeClock } from '#test/fake-clock.ts'

const TOKEN = 'aaaaaa.bbbbbbbbbbbbbbbb'

/** The configuration with a part of the one of another cluster, or another token. */
const swapped = (role: 'controlplane' | 'worker', part: RegExp, by?: string): string => {
  const [foreign = ''] = part.exec(configText(role, { isOther: true })) ?? []
  const text = configText(role)
  const changed = text.replace(part, by ?? foreign)
  expect(changed).not.toBe(text)
  return changed
}

const MACHINE_TOKEN = /^ {4}token: .*$/m
const MACHINE_CA = /(?<=^ {4}ca:\n) {8}crt: .*$/m
const CLUSTER_TOKEN = /(?<=^cluster:\n(?:.*\n)*) {4}token: .*$/m
const CLUSTER_CA = /(?<=^cluster:\n(?:.*\n)* {4}ca:\n) {8}crt: .*$/m
const ETCD_CA = /(?<=^ {4}etcd:\n {8}ca:\n)(?: {12}.*\n)+/m

it.each([
  ['token', swapped('worker', MACHINE_TOKEN, `    token: ${TOKEN}`)],
  ['authority', swapped('worker', MACHINE_CA)],
])('no control plane gives certificates to a machine with another %s', async (_, text) => {
  const { boot, cluster, seconds } = aFleet(new FakeClock())
  await cluster(1, 0)
  const [worker] = await boot(1)
  worker?.applyConfiguration(applying(text))
  await seconds(180)
  const before = worker?.door

  expect(before).toBe('shut')
})

it.each([
  ['bootstrap token', swapped('worker', CLUSTER_TOKEN, `    token: ${TOKEN}`)],
  ['authority of Kubernetes', swapped('worker', CLUSTER_CA)],
])('no API server lets a kubelet in with another %s, until that is right', async (_, text) => {
  const { boot, cluster, seconds, kubernetes } = aFleet(new FakeClock())
  await cluster(1, 0)
  const [worker] = await boot(1)
  worker?.applyConfiguration(applying(text))
  await seconds(180)
  const before = [worker?.door, worker?.stage, kubernetes[0]?.nodes.size]
  worker?.applyConfiguration(applying(configText('worker')))
  await seconds(60)

  expect(before).toEqual(['cluster', 'booting', 1])
  expect([worker?.stage, kubernetes[0]?.nodes.size]).toEqual(['running', 2])
})

it('a control plane does not get into an etcd with another authority', async () => {
  const { boot, cluster, seconds } = aFleet(new FakeClock())
  const [first] = await cluster(1, 0)
  const [second] = await boot(1)
  second?.applyConfiguration(applying(swapped('controlplane', ETCD_CA)))
  await seconds(240)

  expect(first?.etcd?.members()).toHaveLength(1)
  expect(second?.stage).toBe('booting')
})

it('a control plane asks the etcd of others for its members, and finds its own former one there', async () => {
  const { boot, cluster, seconds } = aFleet(new FakeClock())
  const [first, second] = await cluster(2, 0)
  const [waiting] = await boot(1)
  waiting?.applyConfiguration(applying(configText('controlplane')))
  second?.etcd?.leave()
  await seconds(5)

  expect(second?.etcd).toBeUndefined()
  expect(second?.clusterEtcd?.members()).toEqual(first?.etcd?.members())
  expect(first?.etcd?.members()).toHaveLength(1)
})

it('who goes down before its etcd has run leaves a member without a name in its own way', async () => {
  const { fleet, boot, cluster, seconds } = aFleet(new FakeClock())
  const [first] = await cluster(1, 0)
  const [second] = await boot(1)
  second?.applyConfiguration(applying(configText('controlplane')))
  const joins = () => fleet.history.of('10.0.0.2').some(({ what }) => what === 'joins etcd')
  while (!joins()) await seconds(0.5)
  second?.powerOff()
  await seconds(5)
  second?.powerOn()
  await seconds(300)
  const left = first?.etcd?.members().map(({ name, isLearner }) => [name !== '', isLearner])
  const stage = second?.stage
  const nameless = first?.etcd?.members().find(({ name }) => name === '')
  first?.etcd?.removeMember(nameless?.id ?? 0n)
  await seconds(60)

  expect(left?.sort()).toEqual([
    [false, true],
    [true, false],
  ])
  expect(stage).toBe('booting')
  expect(second?.stage).toBe('running')
})

it('a machine that is cut off joins nothing', async () => {
  const { fleet, boot, cluster, seconds } = aFleet(new FakeClock())
  const [first] = await cluster(1, 0)
  const [second] = await boot(1)
  second?.applyConfiguration(applying(configText('controlplane')))
  fleet.faults.add(parseFault('unreachable:10.0.0.2'))
  await seconds(240)

  expect(first?.etcd?.members()).toHaveLength(1)
})
