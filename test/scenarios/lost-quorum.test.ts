import { expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { wordsFor } from './boundary.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { OURS } from './objects.ts'
import { untilReady, untilSays, writesSince } from './verdicts.ts'
import { aWorld } from './world.ts'

const LONG = 120_000
const CONTROL_PLANE = [ControlPlane, 'one'] as const

test('a majority of etcd that does not answer is told with the way out, and ends by itself', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.50', machines: 3, versions: QUICK })
  await world.objects.apply(world.cluster('one', [1, 2, 3], []))
  await untilReady(world, 'one')
  await world.pass(2)
  const before = world.history.length

  const [second, third] = [world.fault('unreachable', 2), world.fault('unreachable', 3)]
  const message = await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'QuorumLost' })
  // Who is a member is written down where no loss of status takes it away.
  for (const kind of OURS) {
    for (const { metadata } of await world.objects.list(kind)) {
      await world.objects.wipeStatus(kind, metadata.name)
    }
  }
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'QuorumLost' })
  third()
  await untilSays(world, CONTROL_PLANE, { type: 'Ready', reason: 'MachinesNotReady' })
  second()
  await untilReady(world, 'one')

  expect(message).toContain(`one-${world.address(2)}, one-${world.address(3)} does not answer`)
  expect(message).toContain(`talosctl -e ${world.address(1)} -n ${world.address(1)} bootstrap`)
  const done = writesSince(world, before).filter(({ to }) => to === 'machine')
  expect(done.map(wordsFor)).toEqual([])
  expect(await brokenInvariants(world)).toEqual([])
})
