import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtinKinds } from '#apiserver/builtin-kinds.ts'
import { customKinds } from '#apiserver/custom-kinds.ts'
import { DEFINITIONS, ServedKinds } from '#apiserver/served-kinds.ts'
import { memoryBackend } from '#apiserver/store/backends/memory.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import type { Backend } from '#apiserver/store/store.ts'
import { surroundingsIn } from '#apiserver/surroundings.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import { quietLog } from '#test/quiet-log.ts'
import { until } from '#test/until.ts'
import { definitions } from './definitions.ts'
import { keepHouse } from './housekeeping.ts'
import { namespaceEnd } from './namespace-end.ts'
import { builtin, createIfMissing, type Place, removeIfThere, type World } from './world.ts'

/** A disk that takes one group at a time, when it is told to. */
class HeldDisk implements Backend {
  readonly #kept = memoryBackend()
  #isHeld = false
  readonly #waiting: (() => void)[] = []

  get waiting(): number {
    return this.#waiting.length
  }

  hold(): void {
    this.#isHeld = true
  }

  takeOne(): void {
    this.#waiting.shift()?.()
  }

  release(): void {
    this.#isHeld = false
    for (const go of this.#waiting.splice(0)) go()
  }

  load = () => this.#kept.load()
  async commit(group: Parameters<Backend['commit']>[0]): Promise<void> {
    if (this.#isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    await this.#kept.commit(group)
  }
  [Symbol.asyncDispose] = async () => {}
}

const log = quietLog()

// On a machine that is busy elsewhere, a create would be interrupted and come after what it races against.
const unhurried: Clock = { ...systemClock, monotonicMs: () => 0 }

let disk: HeldDisk
let world: World
let stop: () => void
beforeEach(async () => {
  disk = new HeldDisk()
  const store = await openStore({ backend: disk, clock: systemClock })
  const kinds = new ServedKinds(store, {
    builtin: builtinKinds(surroundingsIn(store)),
    customOf: customKinds,
  })
  world = { store, clock: unhurried, kinds, log }
  stop = keepHouse(world, [namespaceEnd(world), definitions(world)])
})
afterEach(async () => {
  stop()
  await world.store[Symbol.asyncDispose]()
})

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}

/** Deletes something and lets a create in before that is seen; the housekeepers then have time to act. */
async function raceAgainst(deletion: Place, late: Place, fields: object): Promise<void> {
  disk.hold()
  const deleted = removeIfThere(world, deletion)
  await until(
    'the deletion to be written',
    async () => disk.waiting,
    (waiting) => waiting === 1,
  )
  const created = createIfMissing(world, late, { ...fields })
  disk.takeOne()
  await deleted
  await turns(20)
  disk.release()
  await created
}

test('what is let into a namespace in the last moment goes with it', async () => {
  const namespace = { resource: builtin(world, '', 'namespaces'), namespace: '', name: 'last' }
  await createIfMissing(world, namespace, {})
  const map = { resource: builtin(world, '', 'configmaps'), namespace: 'last', name: 'late' }

  await raceAgainst(namespace, map, {})

  await until(
    'the namespace to go',
    async () => world.store.get('/namespaces/last'),
    (found) => found === undefined,
  )
  expect(world.store.list('/configmaps/last/')).toEqual([])
})

const WIDGETS = {
  spec: {
    group: 'tests.example',
    scope: 'Cluster',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
}

async function defineWidgets(): Promise<Place> {
  const resource = builtin(world, 'apiextensions.k8s.io', 'customresourcedefinitions')
  const place = { resource, namespace: '', name: 'widgets.tests.example' }
  await createIfMissing(world, place, WIDGETS)
  await until(
    'widgets to be served',
    async () => world.kinds.find('tests.example', 'v1', 'widgets')?.kind,
    (kind) => kind === 'Widget',
  )
  return place
}

test('what is let into a kind in the last moment goes with its definition', async () => {
  const definition = await defineWidgets()
  const resource = world.kinds.find('tests.example', 'v1', 'widgets')
  if (!resource) throw new Error('there are no widgets')

  await raceAgainst(definition, { resource, namespace: '', name: 'late' }, {})

  await until(
    'the definition to go',
    async () => world.store.get(`${DEFINITIONS}widgets.tests.example`),
    (found) => found === undefined,
  )
  expect(world.store.list('tests.example/widgets/')).toEqual([])
})
