import { expect, it } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { MachineResources } from './machine-resources.ts'
import type { ResourceChange } from './resource-store.ts'

const TYPE = 'MachineStatuses.runtime.talos.dev'

function someResources() {
  const clock = new FakeClock()
  const resources = new MachineResources(clock)
  const told: ResourceChange[] = []
  resources.onChange((change) => told.push(change))
  const put = (id: string, spec: unknown) =>
    resources.put({ namespace: 'runtime', type: TYPE, id, spec })
  return { clock, resources, told, put }
}

it('shows what was put, and counts its versions', async () => {
  const { clock, resources, told, put } = someResources()
  put('machine', { stage: 'booting' })
  await clock.advance(5000)
  put('machine', { stage: 'running' })
  const shown = resources.get('runtime', TYPE, 'machine')
  expect(shown).toMatchObject({ version: 2, spec: { stage: 'running' }, phase: 'running' })
  expect(Number(shown?.updatedMs) - Number(shown?.createdMs)).toBe(5000)
  expect(told.map(({ type, old }) => [type, old?.version])).toEqual([
    ['created', undefined],
    ['updated', 1],
  ])
})

it('tells nobody when nothing has changed', () => {
  const { told, put } = someResources()
  put('machine', { stage: 'running', unmet: [] })
  put('machine', { stage: 'running', unmet: [] })
  expect(told).toHaveLength(1)
})

it('sees a change of labels', () => {
  const { resources, told } = someResources()
  const one = { namespace: 'runtime', type: TYPE, id: 'machine', spec: {} }
  resources.put(one)
  resources.put({ ...one, labels: new Map([['a', 'b']]) })
  expect(told).toHaveLength(2)
})

it('lists in the order of ids, one namespace and type', () => {
  const { resources, put } = someResources()
  put('b', 1)
  put('a', 1)
  resources.put({ namespace: 'other', type: TYPE, id: 'c', spec: 1 })
  expect(resources.list('runtime', TYPE).map(({ id }) => id)).toEqual(['a', 'b'])
  expect(resources.list('runtime', 'Nothing')).toEqual([])
})

it('forgets what is destroyed, and tells it once', () => {
  const { resources, told, put } = someResources()
  put('machine', 1)
  resources.destroy('runtime', TYPE, 'machine')
  resources.destroy('runtime', TYPE, 'machine')
  expect(resources.get('runtime', TYPE, 'machine')).toBeUndefined()
  expect(told.map(({ type }) => type)).toEqual(['created', 'destroyed'])
})

it('remembers changes since a bookmark, of one type', () => {
  const { resources, put } = someResources()
  put('a', 1)
  const { bookmark } = resources
  put('b', 1)
  resources.put({ namespace: 'runtime', type: 'Others', id: 'c', spec: 1 })
  const since = resources.changesSince(bookmark, 'runtime', TYPE)
  expect(since?.map(({ resource }) => resource.id)).toEqual(['b'])
  expect(resources.changesSince(resources.bookmark, 'runtime', TYPE)).toEqual([])
})

it('does not know what is too long ago, not yet, or of another boot', () => {
  const { resources, put } = someResources()
  for (let at = 0; at < 300; at++) put(`number-${at}`, at)
  expect(resources.changesSince(50, 'runtime', TYPE)).toBeUndefined()
  expect(resources.changesSince(100, 'runtime', TYPE)).toHaveLength(200)
  expect(resources.changesSince(301, 'runtime', TYPE)).toBeUndefined()
  const { bookmark } = resources
  resources.clear()
  expect(resources.changesSince(bookmark, 'runtime', TYPE)).toBeUndefined()
  expect(resources.list('runtime', TYPE)).toEqual([])
  expect(resources.changesSince(resources.bookmark, 'runtime', TYPE)).toEqual([])
})
