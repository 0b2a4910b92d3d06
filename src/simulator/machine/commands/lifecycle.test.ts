import { expect, it } from 'vitest'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import {
  aFleet,
  applying,
  configText,
  refusalOf,
  refusalText,
  stagesOf,
  upgrading,
} from '#simulator/fleet/a-fleet.cases.ts'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import { FakeClock } from '#test/fake-clock.ts'

const NEXT = 'ghcr.io/siderolabs/installer:v1.13.4'

const from = (image: string) => ({ image, namespace: 'system' }) as const

const failing = (promise: Promise<unknown> | undefined): Promise<string> =>
  Promise.resolve(promise).then(() => 'was not refused', refusalText)

async function linesOf(progress: AsyncIterable<unknown> | undefined): Promise<unknown[]> {
  const lines: unknown[] = []
  for await (const line of progress ?? []) lines.push(line)
  return lines
}

const versionsOf = (machines: readonly (SimulatedMachine | undefined)[]) =>
  machines.map((machine) => machine?.talosVersion)

it('an upgrade drains the node, boots the other version and lets pods back', async () => {
  const { cluster, seconds, kubernetes, fleet } = aFleet(new FakeClock())
  const [machine] = await cluster(3, 0)
  const bootId = machine?.bootId
  const upgrade = machine?.upgrade(upgrading('v1.13.4'))
  await seconds(150)
  const actor = await upgrade

  expect(actor?.actorId).toMatch(/^[0-9a-f-]{36}$/)
  expect(machine?.talosVersion).toBe('v1.13.4')
  expect(machine?.bootId).not.toBe(bootId)
  expect([machine?.stage, machine?.isReady]).toEqual(['running', true])
  expect(stagesOf(fleet, '10.0.0.1').slice(-4)).toEqual([
    ...['upgrading', 'rebooting', 'booting', 'running'],
  ])
  const told = kubernetes[0]?.told ?? []
  const name = machine?.hostname ?? ''
  const own = told.filter((what) => what.includes(name))
  expect(own.slice(-5)).toEqual([
    `drain ${name}`,
    `kubelet down ${name}`,
    `kubelet up ${name}`,
    `control plane up ${name}`,
    `uncordon ${name}`,
  ])
  expect(machine?.etcd?.members()).toHaveLength(3)
})

it('an upgrade is refused when etcd would not survive it, or the image is not there', async () => {
  const { cluster, seconds, fleet, boot } = aFleet(new FakeClock())
  const [one] = await cluster(2, 0)
  const two = failing(one?.upgrade(upgrading('v1.13.4')))
  await seconds(60)
  const forced = one?.upgrade(upgrading('v1.13.4', { force: true }))
  await seconds(150)
  await forced
  fleet.faults.add(parseFault('registry-refuses,image=v1.13.5'))
  const missing = failing(one?.upgrade(upgrading('v1.13.5')))
  const [blank] = await boot(1)
  await seconds(60)

  expect(await two).toBe(
    'Unknown: error validating etcd for upgrade: etcd member count(2) is insufficient to maintain quorum if upgrade commences',
  )
  expect(one?.talosVersion).toBe('v1.13.4')
  expect(await missing).toMatch(
    /^Unknown: error validating installer image ".*v1.13.5": failed to pull image .*: not found$/,
  )
  expect(await failing(blank?.upgrade(upgrading('v1.13.4')))).toBe(
    'FailedPrecondition: Talos is not installed',
  )
})

it.each([['ghcr.io/siderolabs/talos:v1.13.4'], ['docker.io/library/nginx:1.25']])(
  '%s is no installer, by neither way and in no configuration',
  async (image) => {
    const { cluster, seconds, boot } = aFleet(new FakeClock())
    const [machine] = await cluster(1, 0)
    const refusal = failing(machine?.upgrade(upgrading('', { image })))
    void machine?.images.pull(image, 'system')
    await seconds(60)
    const [blank] = await boot(1)
    blank?.applyConfiguration(
      applying(configText('worker').replace(/^( +image: ).*installer.*$/m, `$1${image}`)),
    )
    await seconds(120)

    expect(await refusal).toMatch(/^Unknown: error validating installer image .*"\/bin\/installer"/)
    expect(await failing(linesOf(machine?.lifecycleUpgrade(from(image))))).toMatch(
      /^Internal: upgrade failed: exec: "\/bin\/installer"/,
    )
    expect(blank?.installedVersion).toBeUndefined()
  },
)

it('an upgrade fails where nothing can be drained: without the API, or without the node', async () => {
  const { cluster, seconds, kubernetes } = aFleet(new FakeClock())
  const [one, two, three, worker] = await cluster(3, 1)
  kubernetes[0]?.nodes.delete(worker?.hostname ?? '')
  const lost = worker?.upgrade(upgrading('v1.13.4'))
  two?.powerOff()
  three?.powerOff()
  const forced = one?.upgrade(upgrading('v1.13.4', { force: true }))
  await seconds(240)
  await Promise.all([lost, forced])

  expect(versionsOf([one, worker])).toEqual(['v1.13.0', 'v1.13.0'])
  expect(one?.stage).toBe('booting')
})

it('a path that the installer does not take ends in a boot of the old version', async () => {
  const { cluster, seconds, fleet } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const upgrade = machine?.upgrade(upgrading('v1.9.0'))
  await seconds(200)
  await upgrade

  expect(machine?.talosVersion).toBe('v1.13.0')
  expect(stagesOf(fleet, '10.0.0.1').slice(-4)).toEqual([
    ...['upgrading', 'rebooting', 'booting', 'running'],
  ])
})

it('a staged upgrade happens in the next boot, which is followed by another', async () => {
  const { cluster, seconds, fleet } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const upgrade = machine?.upgrade(upgrading('v1.13.4', { stage: true }))
  await seconds(250)
  await upgrade

  expect(machine?.talosVersion).toBe('v1.13.4')
  expect(stagesOf(fleet, '10.0.0.1').slice(-7)).toEqual([
    ...['upgrading', 'rebooting', 'booting', 'installing', 'rebooting', 'booting', 'running'],
  ])
})

it('v1.7 leaves etcd and wipes its data, unless it is told to preserve it', async () => {
  const { cluster, seconds, fleet } = aFleet(new FakeClock())
  const own = { talosVersion: 'v1.7.0', kubernetesVersion: '1.30.0' }
  const [one, two] = await cluster(3, 0, own)
  const wiping = one?.upgrade(upgrading('v1.7.5'))
  await seconds(250)
  await wiping
  const preserving = two?.upgrade(upgrading('v1.7.5', { preserve: true }))
  await seconds(250)
  await preserving
  const left = (address: string) =>
    fleet.history.of(address).filter(({ what }) => what === 'leaves etcd').length

  expect(versionsOf([one, two])).toEqual(['v1.7.5', 'v1.7.5'])
  expect([left('10.0.0.1'), left('10.0.0.2')]).toEqual([1, 0])
  expect(one?.etcd?.members()).toHaveLength(3)
})

it('a machine that falls back runs the old version, and says so', async () => {
  const { cluster, seconds, fleet } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  fleet.faults.add(parseFault('falls-back:10.0.0.1'))
  const upgrade = machine?.upgrade(upgrading('v1.13.4'))
  await seconds(150)
  await upgrade
  const after = machine?.talosVersion
  const again = machine?.upgrade(upgrading('v1.13.4'))
  await seconds(150)
  await again

  expect([after, machine?.talosVersion]).toEqual(['v1.13.0', 'v1.13.4'])
})

it('an upgrade that never comes up is taken back when the boot is given up, and one that did is not', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [one, two, three, worker] = await cluster(3, 1)
  for (const machine of [one, worker]) {
    void machine?.images.pull(NEXT, 'system')
    await seconds(20)
    const lines = linesOf(machine?.lifecycleUpgrade(from(NEXT)))
    await seconds(40)
    await lines
  }
  worker?.reboot('DEFAULT')
  await seconds(120)
  two?.powerOff()
  three?.powerOff()
  for (const machine of [one, worker]) machine?.reboot('DEFAULT')
  await seconds(60)
  const tried = versionsOf([one, worker])
  await seconds(75 * 60)

  expect(tried).toEqual(['v1.13.4', 'v1.13.4'])
  expect(versionsOf([one, worker])).toEqual(['v1.13.0', 'v1.13.4'])
})

it('a rollback boots the version before, if there is one', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const none = refusalOf(() => machine?.rollback())
  const upgrade = machine?.upgrade(upgrading('v1.13.4'))
  await seconds(150)
  await upgrade
  machine?.rollback()
  await seconds(150)

  expect(none).toContain('Unknown: cannot rollback')
  expect(machine?.talosVersion).toBe('v1.13.0')
})

it('the newer way writes the image, and a reboot runs it', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const unpulled = await failing(linesOf(machine?.lifecycleUpgrade(from(NEXT))))
  const pull = machine?.images.pull(NEXT, 'system')
  await seconds(30)
  const name = await pull
  const upgrade = linesOf(machine?.lifecycleUpgrade(from(name ?? '')))
  await seconds(1)
  const second = await failing(linesOf(machine?.lifecycleUpgrade(from(NEXT))))
  await seconds(60)
  const lines = await upgrade
  const before = [machine?.talosVersion, machine?.stage]
  machine?.reboot('DEFAULT')
  await seconds(120)

  expect(unpulled).toBe(
    `Internal: upgrade failed: installer image "${NEXT}" not found in containerd store`,
  )
  expect(name).toMatch(/^ghcr.io\/siderolabs\/installer@sha256:[0-9a-f]{64}$/)
  expect(second).toBe('FailedPrecondition: another installation/upgrade is already in progress')
  expect(lines.at(-1)).toEqual({ exitCode: 0 })
  expect(before).toEqual(['v1.13.0', 'running'])
  expect(machine?.talosVersion).toBe('v1.13.4')
})

it('the newer way goes on when nobody listens any more', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  void machine?.images.pull(NEXT, 'system')
  await seconds(30)
  for await (const line of machine?.lifecycleUpgrade(from(NEXT)) ?? []) {
    expect(line).toBe('running Talos installer v1.13.4')
    break
  }
  const second = failing(linesOf(machine?.lifecycleUpgrade(from(NEXT))))
  await seconds(60)
  const installed = machine?.installedVersion
  machine?.reboot('DEFAULT')
  await seconds(120)

  expect(await second).toContain('another installation/upgrade is already in progress')
  expect([installed, machine?.talosVersion]).toEqual(['v1.13.4', 'v1.13.4'])
})

it('the newer way ends with an exit code for a path that is not taken, and installs without a configuration', async () => {
  const { cluster, seconds, boot } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const old = 'ghcr.io/siderolabs/installer:v1.9.0'
  const [blank] = await boot(1)
  const pulls = [machine?.images.pull(old, 'system'), blank?.images.pull(NEXT, 'system')]
  await seconds(30)
  await Promise.all(pulls)
  const install = linesOf(blank?.lifecycleInstall({ ...from(NEXT), disk: '/dev/sda' }))
  await seconds(60)

  expect((await linesOf(machine?.lifecycleUpgrade(from(old)))).at(-1)).toEqual({ exitCode: 1 })
  expect((await install).at(-1)).toEqual({ exitCode: 0 })
  expect(blank?.installedVersion).toBe('v1.13.4')
  const refused = (disk: string, image = NEXT) =>
    failing(linesOf(blank?.lifecycleInstall({ ...from(image), disk })))
  expect(await refused('/dev/sda')).toBe('AlreadyExists: machine is already installed')
  expect(await failing(linesOf(blank?.lifecycleUpgrade(from(''))))).toBe(
    'InvalidArgument: installer image name is required',
  )
})

it('in a container nothing of this is there', async () => {
  const { boot } = aFleet(new FakeClock())
  const [machine] = await boot(1, { platform: 'container' })
  const expected = 'FailedPrecondition: method is not supported in container mode'

  expect(refusalOf(() => machine?.reboot('DEFAULT'))).toBe(expected)
  expect(refusalOf(() => machine?.shutdown(false))).toBe(expected)
  expect(refusalOf(() => machine?.rollback())).toBe(expected)
  expect(refusalOf(() => machine?.writeMeta(10, Buffer.from('x')))).toBe(expected)
  expect(await failing(machine?.upgrade(upgrading('v1.13.4')))).toBe(expected)
  expect(await failing(linesOf(machine?.lifecycleUpgrade(from(NEXT))))).toBe(expected)
})

it('a container with a configuration becomes a cluster without an installation', async () => {
  const { fleet, seconds } = aFleet(new FakeClock())
  const userData = configText('controlplane')
  const machine = fleet.add({
    ...{ address: '10.0.0.1', talosVersion: 'v1.13.0', platform: 'container', userData },
  })
  await seconds(60)
  machine.bootstrap({ recoverEtcd: false, skipHashCheck: false })
  await seconds(60)
  const stages = stagesOf(fleet, '10.0.0.1')
  machine.reset({ graceful: false, reboot: true, partitions: [], userDisks: [], mode: 'ALL' })
  await seconds(60)

  expect(stages).toEqual(['booting', 'running'])
  expect(machine.isOn).toBe(false)
  expect(refusalOf(() => machine.applyConfiguration(applying(userData)))).toBe(
    'Unavailable: the machine is off',
  )
})
