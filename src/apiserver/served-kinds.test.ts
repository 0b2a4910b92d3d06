import { expect, onTestFinished, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import type { Fields } from './objects.ts'
import type { Resource } from './resource.ts'
import { DEFINITIONS, ServedKinds } from './served-kinds.ts'
import { memoryBackend } from './store/backends/memory.ts'
import { openStore } from './store/open-store.ts'

const KEY = `${DEFINITIONS}things.example.com`

const kind = { group: 'example.com', version: 'v1', plural: 'things', isCustom: true }

async function aWorld() {
  const store = await openStore({ backend: memoryBackend(), clock: new FakeClock() })
  onTestFinished(() => store[Symbol.asyncDispose]())
  const sinces: number[] = []
  const kinds = new ServedKinds(store, {
    builtin: [],
    customOf: (_, since) => {
      sinces.push(since)
      return [kind as Resource] // no more of it is looked at
    },
  })
  onTestFinished(() => kinds.dispose())
  const define = (generation: number, rest: Fields = {}) =>
    store.write(KEY, () => ({
      put: () => Buffer.from(JSON.stringify({ metadata: { uid: 'u', generation }, ...rest })),
    }))
  await define(1)
  const follow = () => {
    const resource = kinds.find('example.com', 'v1', 'things')
    if (!resource) throw new Error('the kind is not served')
    const told: string[] = []
    const forget = kinds.onEnd(resource, () => told.push('ended'))
    return { told, forget }
  }
  return { store, sinces, define, follow }
}

test('who follows a kind is told once when its CRD says something else', async () => {
  const { define, follow } = await aWorld()
  const { told } = follow()

  await define(1, { metadata: { uid: 'u', generation: 1, labels: { a: 'b' } } })
  await define(1, { status: { storedVersions: ['v1'], conditions: [] } })
  expect(told).toEqual([])
  await define(2)
  expect(told).toEqual(['ended'])
  await define(3)
  expect(told).toEqual(['ended'])
})

test.each([
  ['has other names', { status: { acceptedNames: { plural: 'things', kind: 'Thing' } } }],
  ['is another one of the same name', { metadata: { uid: 'other', generation: 1 } }],
])('who follows a kind is told when its CRD %s', async (_, change) => {
  const { define, follow } = await aWorld()
  const { told } = follow()

  await define(1, change)

  expect(told).toEqual(['ended'])
})

test('who follows a kind is told when its CRD goes, after everyone has seen that', async () => {
  const { store, follow } = await aWorld()
  const { told } = follow()
  store.onChanges(() => told.push('seen'))

  await store.write(KEY, () => ({ remove: () => Buffer.from('{}') }))

  expect(told).toEqual(['seen', 'ended'])
})

test('who follows a kind no more is not told, and others are', async () => {
  const { define, follow } = await aWorld()
  const [one, other] = [follow(), follow()]
  one.forget()

  await define(2)

  expect([one.told, other.told]).toEqual([[], ['ended']])
})

test('a kind is what it is since its CRD has said so, whatever else is written into that', async () => {
  const { define, sinces } = await aWorld()

  await define(1, { status: { conditions: [] } })
  await define(2)

  expect(sinces).toEqual([1, 1, 3])
})
