import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { builtinKinds } from '#apiserver/builtin-kinds.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { memoryBackend } from '#apiserver/store/backends/memory.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import { keyOf, objectIn } from '#apiserver/stored-object.ts'
import { surroundingsIn } from '#apiserver/surroundings.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { apply } from './apply.ts'
import type { Ask } from './ask.ts'
import { create } from './create.ts'
import { decoded } from './decode-body.ts'
import { patch } from './patch.ts'
import { put } from './put.ts'
import { remove } from './remove.ts'

/** By one clock no work takes any time; by the other each step takes so long that others get a turn. */
const clocks = {
  atOnce: () => new FakeClock(),
  inTurns: () => {
    let ms = 0
    return Object.assign(new FakeClock(), { monotonicMs: () => (ms += 6) })
  },
}

async function aMap(clock: FakeClock) {
  const store = await openStore({ backend: memoryBackend(), clock })
  const writes = { store, clock }
  const kinds = builtinKinds(surroundingsIn(store))
  const askOf = (plural: string, name: string): Ask => {
    const resource = kinds.find((one) => one.group === '' && one.plural === plural)
    if (!resource) throw new Error(`there are no ${plural}`)
    return {
      ...{ resource, namespace: 'n', name, subresource: '', owner: 'test', dryRun: false },
      user: { name: 'test', groups: [] },
      fieldValidation: 'Ignore',
      warn: () => undefined,
    }
  }
  const make = (plural: string, given: Fields) => {
    const ask = askOf(plural, '')
    return create(writes, ask, { object: decoded(ask, { given }) })
  }
  await make('namespaces', { metadata: { name: 'n' } })
  await make('configmaps', { metadata: { name: 'm' }, data: { a: '0', b: '0' } })
  const ask = askOf('configmaps', 'm')
  const key = keyOf(ask.resource, 'n', 'm')
  const live = () => {
    const entry = store.get(key)
    return entry && objectIn(entry)
  }
  return { writes, ask, make, live }
}

type AMap = Awaited<ReturnType<typeof aMap>>

const head = { apiVersion: 'v1', kind: 'ConfigMap' }
const named = (more: Fields = {}): Fields => ({ ...head, metadata: { name: 'm', ...more } })

/** Writes that all come at once, by those who have all read the same version. */
const rivals = ({ writes, ask }: AMap, version: unknown): Promise<unknown>[] => [
  put(writes, ask, { ...named({ resourceVersion: version }), data: { a: '1', b: '1' } }),
  put(writes, ask, { ...named({ resourceVersion: version }), data: { a: '2', b: '2' } }),
  patch(writes, ask, { type: 'merge', patch: { data: { a: '3', b: '3' } } }),
  apply(
    writes,
    { ...ask, owner: 'one' },
    { config: { ...named(), data: { c: '1' } }, force: false },
  ),
  apply(
    writes,
    { ...ask, owner: 'two' },
    { config: { ...named(), data: { c: '2' } }, force: false },
  ),
  patch(writes, ask, { type: 'json', patch: [{ op: 'test', path: '/data/a', value: '1' }] }),
  remove(writes, ask, {}),
  patch(writes, ask, { type: 'merge', patch: { data: { a: '4' } } }),
]

/** Of two who create the same one wins: which one hangs on how far each has come with checking what it was given. */
async function createdTwice({ make, live }: AMap) {
  const twice = await Promise.allSettled(
    [1, 2].map(() => make('configmaps', { ...named(), data: { again: 'yes' } })),
  )
  const { metadata, data } = live() ?? {}
  return {
    created: twice.map(({ status }) => status).sort(),
    ...{ data, version: Object(metadata).resourceVersion },
  }
}

async function outcomesBy(clock: FakeClock) {
  const map = await aMap(clock)
  const { resourceVersion } = fieldsAt(map.live() ?? {}, 'metadata')
  const settled = await Promise.allSettled(rivals(map, resourceVersion))
  const outcomes = settled.map((one) =>
    one.status === 'rejected' ? String(one.reason) : Object(one.value).outcome,
  )
  return { outcomes, ...(await createdTwice(map)) }
}

test('whoever writes in turns is answered as if it had been done at once', async () => {
  const [inTurns, atOnce] = [await outcomesBy(clocks.inTurns()), await outcomesBy(clocks.atOnce())]

  expect(inTurns).toEqual(atOnce)
  expect(atOnce.created).toEqual(['fulfilled', 'rejected'])
  expect(atOnce.outcomes.filter((one) => one.includes('has been modified'))).toHaveLength(1)
  expect(atOnce.outcomes.filter((one) => one.includes('conflict with "one"'))).toHaveLength(1)
})

test('between the turns of a write nothing of it is to be seen', async () => {
  const { writes, ask, live } = await aMap(clocks.inTurns())
  let isDone = false
  const writing = Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      patch(writes, ask, { type: 'merge', patch: { data: { a: `${at}`, b: `${at}` } } }),
    ),
  ).finally(() => {
    isDone = true
  })
  const seen = new Set<string>()
  let turns = 0
  for (; !isDone; turns++) {
    const { a, b } = fieldsAt(live() ?? {}, 'data')
    seen.add(`${a} ${b}`)
    await nextTurn()
  }
  await writing

  expect([...seen].filter((pair) => new Set(pair.split(' ')).size > 1)).toEqual([])
  expect(turns).toBeGreaterThan(40)
})
