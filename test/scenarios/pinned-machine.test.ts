import { afterAll, beforeAll, expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { untilReady, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.100', machines: 2, versions: QUICK })
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

/** A cluster whose worker is to be this machine and no other. */
function pinned(uuid: string) {
  const { spec, ...cluster } = world.cluster('one', [1], [2])
  const machines = [{ address: world.address(2), uuid }]
  return { ...cluster, spec: { ...spec, worker: { ...spec.worker, metalSpec: { machines } } } }
}

test('a machine that is not the one in the spec is given no keys, and is taken once the spec says so', {
  timeout: LONG,
}, async () => {
  const machine = world.fleet.machine(world.address(2))
  const { uuid = '' } = machine?.hardware ?? {}
  const another = world.fleet.machine(world.address(1))?.hardware.uuid ?? ''
  await world.objects.apply(pinned(another))

  const object = [Machine, `one-${world.address(2)}`] as const
  const why = await untilSays(world, object, { type: 'Ready', reason: 'AnotherMachine' })
  await world.pass(10)
  expect(machine?.stage).toBe('maintenance')
  expect((await world.objects.find(...object))?.status?.uuid).toBeUndefined()
  await world.objects.apply(pinned(uuid.toUpperCase()))
  await untilReady(world, 'one')

  expect(why).toContain(`is ${uuid}, and the spec says uuid ${another}`)
  expect(await brokenInvariants(world)).toEqual([])
})
