import { expect, it } from 'vitest'
import {
  aFleet,
  applying,
  BOOTSTRAP,
  configText,
  refusalOf,
  refusalText,
  resetting,
  stagesOf,
} from '#simulator/fleet/a-fleet.cases.ts'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import { FakeClock } from '#test/fake-clock.ts'

const DATABASE = '/var/lib/etcd/member/snap/db'
const EMPTYING = resetting({ graceful: false, partitions: [{ label: 'EPHEMERAL', wipe: true }] })
const RECOVER = { recoverEtcd: true, skipHashCheck: false }

/** The database of a machine, or why there is none. */
const copied = async (machine: SimulatedMachine | undefined): Promise<Uint8Array | string> =>
  (await machine?.readFile(DATABASE).catch(refusalText)) ?? ''

const etcdOn = (machine: SimulatedMachine | undefined) =>
  machine?.services.find(({ id }) => id === 'etcd')

it('a lost etcd is recovered from a snapshot, and the others join it', async () => {
  const { cluster, seconds, kubernetes } = aFleet(new FakeClock())
  const machines = await cluster(3, 0)
  const snapshot = (await machines[0]?.etcd?.snapshot()) ?? new Uint8Array()
  for (const machine of machines) machine.reset(EMPTYING)
  await seconds(120)
  const gone = machines.map(({ etcd }) => etcd)
  machines[1]?.receiveSnapshot(snapshot)
  machines[1]?.bootstrap({ recoverEtcd: true, skipHashCheck: false })
  await seconds(150)

  expect(gone).toEqual([undefined, undefined, undefined])
  expect(machines.map(({ stage }) => stage)).toEqual(['running', 'running', 'running'])
  expect(machines[0]?.etcd?.members()).toHaveLength(3)
  expect(
    kubernetes.map(({ isDisposed, restored }) => [isDisposed, restored !== undefined]),
  ).toEqual([
    [true, false],
    [false, true],
  ])
})

it('bytes that are no snapshot let etcd fail, and the machine can be bootstrapped again', async () => {
  const { boot, seconds } = aFleet(new FakeClock())
  const [machine] = await boot(1)
  const early = refusalOf(() => machine?.receiveSnapshot(new Uint8Array(3)))
  machine?.applyConfiguration(applying(configText('controlplane')))
  await seconds(90)
  machine?.receiveSnapshot(new Uint8Array(3))
  machine?.bootstrap({ recoverEtcd: true, skipHashCheck: false })
  await seconds(30)
  const etcd = machine?.services.find(({ id }) => id === 'etcd')
  const failed = [etcd?.phase, etcd?.events.at(-1)?.message]
  machine?.bootstrap(BOOTSTRAP)
  await seconds(60)

  expect(early).toBe('FailedPrecondition: etcd service is not ready for recovery yet')
  expect(failed).toEqual([
    'Failed',
    expect.stringContaining('error verifying snapshot: invalid database'),
  ])
  expect(machine?.stage).toBe('running')
})

it('the file of the database is what a snapshot is without its sum, also while there is no majority', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [one, two, three, worker] = await cluster(3, 1)
  two?.powerOff()
  three?.powerOff()
  await seconds(30)
  const snapshot = Buffer.from((await one?.etcd?.snapshot()) ?? [])

  expect(etcdOn(one)?.health.isHealthy).toBe(false)
  expect(Buffer.from(await copied(one)).equals(snapshot.subarray(0, -32))).toBe(true)
  expect(await copied(worker)).toBe(`NotFound: stat ${DATABASE}: no such file or directory`)
})

it('the file is there while etcd does not run, and gone with the partition that it is on', async () => {
  const { cluster, seconds, fleet } = aFleet(new FakeClock())
  const [one] = await cluster(1, 0)
  const [uuid, name, config] = [one?.hardware.uuid, one?.hostname, one?.config]
  one?.reboot('DEFAULT')
  await seconds(25)
  const booting = [etcdOn(one)?.phase === 'Running', typeof (await copied(one))]
  await seconds(100)
  one?.reset(EMPTYING)
  await seconds(120)

  expect(booting).toEqual([false, 'object'])
  expect(await copied(one)).toContain('no such file or directory')
  expect(stagesOf(fleet, '10.0.0.1').slice(-2)).toEqual(['resetting', 'booting'])
  expect([etcdOn(one)?.phase, one?.door]).toEqual(['Preparing', 'cluster'])
  expect([one?.hardware.uuid, one?.hostname, one?.config]).toEqual([uuid, name, config])
})

it('a copy of the file is taken only if its sum does not count, and lies in the way when it was refused', async () => {
  const { cluster, seconds, kubernetes } = aFleet(new FakeClock())
  const [one] = await cluster(1, 0)
  const before = one?.etcd?.id
  const copy = Buffer.from(await copied(one))
  const recover = async (skipHashCheck: boolean) => {
    one?.reset(EMPTYING)
    await seconds(120)
    one?.receiveSnapshot(copy)
    one?.bootstrap({ recoverEtcd: true, skipHashCheck })
    await seconds(60)
  }
  await recover(false)
  const refused = [etcdOn(one)?.phase, etcdOn(one)?.events.at(-1)?.message, one?.etcd]
  const again = refusalOf(() => one?.bootstrap(RECOVER))
  one?.reboot('DEFAULT')
  await seconds(120)
  const rebooted = [etcdOn(one)?.phase, one?.etcd]
  await recover(true)

  expect(refused).toEqual([
    'Failed',
    'Failed to run pre stage: error recovering from the snapshot: snapshot missing hash but --skip-hash-check=false',
    undefined,
  ])
  expect(again).toBe('AlreadyExists: etcd data directory is not empty')
  expect(rebooted).toEqual(['Waiting', undefined])
  expect(one?.stage).toBe('running')
  expect(one?.etcd?.id).not.toBe(before)
  expect(kubernetes.map(({ restored }) => restored !== undefined)).toEqual([false, true])
})

it('a machine that is left begins anew from its own database, and those that come later join it', async () => {
  const { cluster, boot, seconds, fleet } = aFleet(new FakeClock())
  const [one, two, three] = await cluster(3, 0)
  two?.powerOff()
  three?.powerOff()
  await seconds(30)
  const copy = Buffer.from(await copied(one))
  one?.reset(EMPTYING)
  await seconds(120)
  one?.receiveSnapshot(copy)
  one?.bootstrap({ recoverEtcd: true, skipHashCheck: true })
  await seconds(60)
  const alone = one?.etcd?.members().map(({ name }) => name)
  const [four] = await boot(1)
  four?.applyConfiguration(applying(configText('controlplane')))
  await seconds(180)
  // The old ones know nothing of that: those that were lost have to stay off.
  two?.powerOn()
  three?.powerOn()
  await seconds(120)

  expect(alone).toEqual([one?.hostname])
  expect(one?.etcd?.members()).toHaveLength(2)
  expect(four?.stage).toBe('running')
  expect(two?.etcd?.members()).toHaveLength(3)
  expect(fleet.clusters.flatMap(({ halves }) => halves)).toHaveLength(2)
})

it('the few files that clients read are there, and others are not', async () => {
  const { cluster } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const read = async (path: string) => String(await machine?.readFile(path).catch(refusalText))

  expect(await read('/proc/sys/kernel/random/boot_id')).toBe(`${machine?.bootId}\n`)
  expect(await read('/etc/shadow')).toContain('no such file or directory')
})
