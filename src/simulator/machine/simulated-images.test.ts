import { expect, it } from 'vitest'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { aFleet, refusalText, upgrading } from '#simulator/fleet/a-fleet.cases.ts'
import { FakeClock } from '#test/fake-clock.ts'

const NEXT = 'ghcr.io/siderolabs/installer:v1.13.4'

const failing = (promise: Promise<unknown> | undefined): Promise<string> =>
  Promise.resolve(promise).then(() => 'was not refused', refusalText)

it('what is there is not fetched again, though no registry has it any more', async () => {
  const { cluster, seconds, fleet } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const first = machine?.images.pull(NEXT, 'system')
  await seconds(20)
  const name = await first
  fleet.faults.add(parseFault('registry-refuses,image=installer'))
  const elsewhere = failing(machine?.images.pull(NEXT, 'cri'))
  await seconds(20)

  // No time passes.
  expect(await machine?.images.pull(NEXT, 'system')).toBe(name)
  expect(await machine?.images.pull(name ?? '', 'system')).toBe(name)
  expect(await elsewhere).toBe(
    `NotFound: failed to pull image "${NEXT}": failed to resolve image: ${NEXT}: not found`,
  )
})

it('the older way to upgrade fetches its image itself, whatever was fetched before', async () => {
  const { cluster, seconds, fleet } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  void machine?.images.pull(NEXT, 'system')
  await seconds(20)
  const end = fleet.faults.add(parseFault('registry-refuses,image=installer'))
  const refused = failing(machine?.upgrade(upgrading('v1.13.4')))
  await seconds(60)
  const before = [machine?.stage, machine?.talosVersion]
  end()
  const upgrade = machine?.upgrade(upgrading('v1.13.4'))
  await seconds(150)
  await upgrade

  expect(await refused).toMatch(/^Unknown: error validating installer image .*: not found$/)
  expect(before).toEqual(['running', 'v1.13.0'])
  expect(machine?.talosVersion).toBe('v1.13.4')
})

it('the newer way wants the image where it is told to look for it', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  void machine?.images.pull(NEXT, 'cri')
  await seconds(20)
  const refused = (namespace: 'system' | 'memory') =>
    failing(machine?.lifecycleUpgrade({ image: NEXT, namespace })[Symbol.asyncIterator]().next())

  for (const namespace of ['system', 'memory'] as const) {
    expect(await refused(namespace)).toBe(
      `Internal: upgrade failed: installer image "${NEXT}" not found in containerd store`,
    )
  }
})

it('what an upgrade fetched is gone with the boot, what a client fetched is not', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  for (const namespace of ['system', 'memory'] as const) void machine?.images.pull(NEXT, namespace)
  await seconds(20)
  const names = () =>
    (['system', 'memory'] as const).map((namespace) =>
      machine?.images.list(namespace).some(({ name }) => name === NEXT),
    )
  const before = names()
  machine?.reboot('DEFAULT')
  await seconds(90)

  expect([before, names()]).toEqual([
    [true, true],
    [true, false],
  ])
})
