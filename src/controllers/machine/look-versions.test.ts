import { expect, test } from 'vitest'
import { KUBELETS } from '#api/labels.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aWorker } from '#test/builders.ts'
import { newTold, newWay, wanting } from '#test/machine-upgrade-world.ts'
import { aClaimedMachine, aMember, aWorld } from '#test/machine-world.ts'
import { lookAtVersions } from './look-versions.ts'
import type { ConfigChange, World } from './world.ts'

const saying = (phase: string) =>
  aControlPlane({ metadata: { annotations: { [KUBELETS]: phase } } })
const change: ConfigChange = {
  ...{ needs: 'live', isOfNetwork: false, places: [], images: [], moved: ['kubelet'], older: [] },
}
const older = aMember({ version: 'v1.12.4' })
const parent = { is: 'there' as const, controlPlane: aControlPlane() }
const worker = aWorker()

/** What is known of versions, with a cache that shows nothing of what the API has. */
const seen = async (
  over: Partial<World>,
  { live = saying('moving'), machine = aClaimedMachine() } = {},
) => {
  const { read, asked } = aReader({ live: [live] })
  const world = aWorld({ parent, ...over })
  const { isKubernetesMoving, mayKubeletsMove } = await lookAtVersions(machine, world, read)
  return { said: [isKubernetesMoving, mayKubeletsMove], asked }
}

test('in its turn the API is asked, whatever a cache shows', async () => {
  const asked = ['TalosControlPlane prod']
  expect(await seen({ seen: older, turn: 1 })).toEqual({ said: [true, true], asked })
  expect(await seen({ change, turn: 1, parent: { ...parent, worker } })).toEqual({
    ...{ said: [true, true], asked },
  })
  expect((await seen({ seen: older, turn: 1 }, { live: saying('ending') })).said).toEqual([
    true,
    false,
  ])
})

test('the API is asked in the turn of a machine that would boot something else than it runs', async () => {
  const machine = wanting('v1.13.0', newTold('installed', 0))

  expect(await seen({ seen: newWay(), turn: 1 }, { machine })).toEqual({
    ...{ said: [true, true], asked: ['TalosControlPlane prod'] },
  })
})

test.each<[string, Partial<World>]>([
  ['a machine that only waits', { seen: older }],
  ['a worker that only waits', { change, parent: { ...parent, worker } }],
  ['a machine that gets neither', { turn: 1 }],
  ['a machine of a control plane that gets another kubelet', { change, turn: 1 }],
  ['a machine that does not answer', { seen: { is: 'silent', message: '' }, change, turn: 1 }],
])('%s asks nobody', async (_what, over) => {
  expect(await seen(over)).toEqual({ said: [false, false], asked: [] })
})
