import { expect, test } from 'vitest'
import { ETCD_LEFT } from '#api/labels.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { aMember, NOW } from '#test/machine-world.ts'
import { EtcdLists } from './etcd-lists.ts'
import type { Parent } from './world.ts'

const within = (name = 'prod'): Parent => ({
  ...{ is: 'there', controlPlane: aControlPlane({ metadata: { name } }) },
})
const machine = (name: string, metadata = {}) => aMachine({ metadata: { name, ...metadata } })
const saying = (...ids: string[]) => ({
  parent: within(),
  seen: aMember({ etcdMembers: ids.map((id) => ({ id, name: id, learner: false })) }),
})

/** Two that said that they are all. */
function two(): EtcdLists {
  const lists = new EtcdLists()
  lists.note(machine('a'), saying('1', '2'))
  lists.note(machine('b'), saying('1', '2'))
  return lists
}

test('whoever joins has the others looked at, and they nobody any more', () => {
  const lists = two()

  expect(lists.note(machine('c'), saying('1', '2', '3'))).toEqual(['default/a', 'default/b'])
  expect(lists.note(machine('a'), saying('1', '2', '3'))).toEqual(['default/b'])
  expect(lists.note(machine('b'), saying('1', '2', '3'))).toEqual([])
  expect(lists.note(machine('c'), saying('1', '2', '3'))).toEqual([])
})

test('whoever has left has the others looked at, once', () => {
  const lists = two()
  const leaving = { deletionTimestamp: NOW.toISOString() }
  const left = { ...leaving, annotations: { [ETCD_LEFT]: 'true' } }

  expect(lists.note(machine('b', leaving), saying('1', '2'))).toEqual([])
  expect(lists.note(machine('b', left), { ...saying(), seen: { is: 'unasked' } })).toEqual([
    'default/a',
  ])
  expect(lists.note(machine('b', left), { ...saying(), seen: { is: 'unasked' } })).toEqual([])
})

test('nobody else is looked at', () => {
  const lists = two()

  expect(lists.note(machine('z'), { ...saying('9'), parent: within('lab') })).toEqual([])
  expect(
    lists.note(machine('w'), { parent: within(), seen: { is: 'silent', message: '' } }),
  ).toEqual([])
  expect(
    lists.note(machine('w'), { parent: within(), seen: aMember({ etcdMembers: undefined }) }),
  ).toEqual([])
  expect(lists.note(machine('a'), { ...saying('7'), parent: { is: 'missing', what: '' } })).toEqual(
    [],
  )
  // It is not of the cluster any more, as far as is known.
  expect(lists.note(machine('b'), saying('1'))).toEqual([])
})
