import { expect, test } from 'vitest'
import { aControlPlane, aMachine, aWorker, aWorkerMachine } from '#test/builders.ts'
import { NOW } from '#test/machine-world.ts'
import { ClusterMembers } from './cluster-members.ts'
import type { Parent } from './world.ts'

const ONE = 'default/prod-192.0.2.1'
const OTHER = 'default/pool-192.0.2.21'
const LEAVING = { deletionTimestamp: NOW.toISOString() }

const within = (name = 'prod', worker = aWorker()): Parent => ({
  ...{ is: 'there', controlPlane: aControlPlane({ metadata: { name } }), worker },
})

/** Both machines, noted as those of one cluster. */
function both(): ClusterMembers {
  const members = new ClusterMembers()
  members.note(aMachine(), within())
  members.note(aWorkerMachine(), within())
  return members
}

test('whom a cluster wakes are all of its machines, workers too', () => {
  expect(both().of('default/prod')).toEqual([ONE, OTHER])
})

test('a cluster that nobody knows wakes nobody', () => {
  expect(new ClusterMembers().of('default/prod')).toEqual([])
  expect(both().of('lab/prod')).toEqual([])
})

test('a machine is woken once, however often it was seen', () => {
  const members = both()
  members.note(aMachine(), within())

  expect([...members.of('default/prod')].sort()).toEqual([OTHER, ONE])
})

test('a machine that moves to another cluster is woken by that alone', () => {
  const members = both()
  members.note(aWorkerMachine(), within('lab'))

  expect(members.of('default/prod')).toEqual([ONE])
  expect(members.of('default/lab')).toEqual([OTHER])
})

test.each<[string, Parent, object]>([
  ['is missing', { is: 'missing', what: 'TalosControlPlane prod' }, {}],
  ['is not seen yet', { is: 'unseen', what: 'TalosControlPlane prod' }, {}],
  ['is there, while the machine goes', within(), LEAVING],
])('a machine whose parent %s is not woken', (_why, parent, metadata) => {
  const members = both()
  members.note(aMachine({ metadata }), parent)

  expect(members.of('default/prod')).toEqual([OTHER])
})

test('of a cluster without machines nothing is kept, and it can come back', () => {
  const members = both()
  members.note(aMachine(), { is: 'missing', what: '' })
  members.note(aWorkerMachine(), { is: 'missing', what: '' })
  expect(members.of('default/prod')).toEqual([])

  members.note(aMachine(), within())

  expect(members.of('default/prod')).toEqual([ONE])
})

test('who asked keeps what was told, whoever comes or goes meanwhile', () => {
  const members = both()
  const told = members.of('default/prod')

  members.note(aMachine(), { is: 'missing', what: '' })

  expect(told).toEqual([ONE, OTHER])
})
