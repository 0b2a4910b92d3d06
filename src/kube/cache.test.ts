import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KubeObject } from '#api/meta.ts'
import { byLabel, byOwner, inOrder, keyOf, ObjectCache } from './cache.ts'

const anObject = (
  name: string,
  version: number,
  changes: Partial<KubeObject['metadata']> = {},
) => ({
  metadata: { name, namespace: 'default', uid: name, resourceVersion: String(version), ...changes },
})

const byAnyLabel = ({ metadata }: KubeObject) => Object.entries(metadata.labels ?? {}).flat()

function aCache() {
  const cache = new ObjectCache<KubeObject>({ label: byAnyLabel })
  const told: string[] = []
  cache.listen(({ type, object }) => told.push(`${type} ${object.metadata.name}`))
  return { cache, told }
}

test('what is put in is found by its key, and gone when it is dropped', () => {
  const { cache, told } = aCache()
  const object = anObject('a', 1)

  cache.put(object)
  expect(cache.get('default/a')).toBe(object)
  cache.drop(object)

  expect(cache.get('default/a')).toBeUndefined()
  expect(told).toEqual(['added a', 'removed a'])
})

test('an object of no namespace is found by its name alone', () => {
  const { cache } = aCache()

  cache.put({ metadata: { name: 'worker-1' } })

  expect(cache.get('worker-1')).toBeDefined()
})

test('all come by namespace and name, whenever they were made', () => {
  const { cache } = aCache()
  const keys = () => cache.values().map(keyOf)
  cache.put({ metadata: { namespace: 'b', name: 'a' } })
  cache.put({ metadata: { namespace: 'a-x', name: 'a' } })
  for (const name of ['b', 'a']) cache.put({ metadata: { namespace: 'a', name } })
  expect(keys()).toEqual(['a/a', 'a/b', 'a-x/a', 'b/a'])

  cache.drop({ metadata: { namespace: 'a', name: 'b' } })
  cache.put({ metadata: { namespace: 'a', name: 'aa' } })

  expect(keys()).toEqual(['a/a', 'a/aa', 'a-x/a', 'b/a'])
})

test('the same version again, or an older one, is no news', () => {
  const { cache, told } = aCache()
  cache.put(anObject('a', 10))

  cache.put(anObject('a', 10))
  cache.put(anObject('a', 9))

  expect(told).toEqual(['added a'])
})

test('versions are compared as numbers, however long they are', () => {
  const { cache } = aCache()
  cache.put(anObject('a', 0, { resourceVersion: '9'.repeat(30) }))

  cache.put(anObject('a', 0, { resourceVersion: `1${'0'.repeat(30)}` }))

  expect(cache.get('default/a')?.metadata.resourceVersion).toBe(`1${'0'.repeat(30)}`)
})

test('a late word of an old object’s end does not take its successor away', () => {
  const { cache } = aCache()
  cache.put(anObject('a', 5, { uid: 'second' }))

  cache.drop(anObject('a', 3, { uid: 'first' }))

  expect(cache.size).toBe(1)
})

test('a list tells of what differs, and of nothing else', () => {
  const { cache, told } = aCache()
  cache.replace([anObject('same', 1), anObject('changed', 1), anObject('gone', 1)])
  told.length = 0

  cache.replace([anObject('same', 1), anObject('changed', 2), anObject('new', 3)])

  expect(told.sort()).toEqual(['added new', 'changed changed', 'removed gone'])
})

test('a list is right even when it is older, as after a restore of the server', () => {
  const { cache } = aCache()
  cache.put(anObject('a', 100))

  cache.replace([anObject('a', 7)])

  expect(cache.get('default/a')?.metadata.resourceVersion).toBe('7')
})

test('another object of the same name is news, though its version be the same', () => {
  const { cache, told } = aCache()
  cache.put(anObject('a', 7))

  cache.replace([anObject('a', 7, { uid: 'another' })])

  expect(told).toEqual(['added a', 'changed a'])
})

test('a list of one namespace says nothing of the others', () => {
  const { cache, told } = aCache()
  cache.replace([anObject('here', 1), anObject('there', 1, { namespace: 'other' })])
  told.length = 0

  cache.replace([], 'default')

  expect(told).toEqual(['removed here'])
})

test('objects are found by their owner and by a label', () => {
  const cache = new ObjectCache<KubeObject>({ owner: byOwner, app: byLabel('app') })
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'owner-uid' }
  const object = anObject('a', 1, { ownerReferences: [owner], labels: { app: 'web' } })
  cache.put(object)
  cache.put(anObject('b', 1))

  expect(cache.find('owner', 'owner-uid')).toEqual([object])
  expect(cache.find('app', 'web')).toEqual([object])
})

test('a listener that has left hears nothing', () => {
  const cache = new ObjectCache<KubeObject>()
  const told: string[] = []
  const leave = cache.listen(({ type }) => told.push(type))

  leave()
  cache.put(anObject('a', 1))

  expect(told).toEqual([])
})

test('an index or a listener that throws is told of, and keeps nobody from anything', () => {
  const trouble: string[] = []
  const broken = () => {
    throw new Error('broken')
  }
  const cache = new ObjectCache<KubeObject>({ broken, app: byLabel('app') }, (key) =>
    trouble.push(key),
  )
  const told: string[] = []
  cache.listen(broken)
  cache.listen(({ type }) => told.push(type))

  cache.replace([anObject('a', 1, { labels: { app: 'web' } })])
  cache.put(anObject('a', 2, { labels: { app: 'web' } }))

  expect(told).toEqual(['added', 'changed'])
  expect(cache.find('app', 'web')).toHaveLength(1)
  expect(trouble.length).toBeGreaterThan(0)
})

test('an index that does not exist is an error, and not an empty result', () => {
  expect(() => new ObjectCache<KubeObject>().find('ownr', 'x')).toThrow('no index ownr')
})

const aStep = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  value: fc.constantFrom('red', 'green'),
  does: fc.constantFrom('put', 'drop', 'replace'),
})

test('after any number of changes an index finds what a search through all objects finds', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 30 }), (steps) => {
      const { cache } = aCache()
      for (const [version, { name, value, does }] of steps.entries()) {
        const object = anObject(name, version, { labels: { colour: value } })
        if (does === 'replace') cache.replace([object])
        else cache[does](object)

        for (const word of ['red', 'green', 'colour']) {
          const searched = cache.values().filter((one) => byAnyLabel(one).includes(word))
          expect(new Set(cache.find('label', word))).toEqual(new Set(searched))
        }
      }
    }),
  )
})

test('who follows the changes knows what the cache knows', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 30 }), (steps) => {
      const cache = new ObjectCache<KubeObject>()
      const follower = new Map<string, KubeObject>()
      cache.listen(({ type, object }) => {
        if (type === 'removed') follower.delete(object.metadata.name)
        else follower.set(object.metadata.name, object)
      })

      for (const [version, { name, does }] of steps.entries()) {
        const object = anObject(name, version)
        if (does === 'replace') cache.replace([object])
        else cache[does](object)
      }

      expect([...follower.values()].sort(inOrder)).toEqual(cache.values())
    }),
  )
})
