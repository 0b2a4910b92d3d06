import { expect, test } from 'vitest'
import { MACHINE_UUID } from '#api/labels.ts'
import { aMachine } from '#test/builders.ts'
import { aClaimedMachine, aMember, aNode, aWaiting, OTHER_UUID } from '#test/machine-world.ts'
import { formerNodesOf, nodeOf } from './node-of.ts'

const machine = aClaimedMachine({}, { status: { hostname: 'cp-1' } })
const other = aMachine({
  metadata: { name: 'other', annotations: { [MACHINE_UUID]: OTHER_UUID } },
})
const claimants = (uuid: string) =>
  [machine, other].filter(({ metadata }) => metadata.annotations?.[MACHINE_UUID] === uuid)
const own = aNode({ name: 'renamed' })
const { machineUuid: _, ...unsaid } = aNode({ uid: 'by-name' })

test('a node is found by the UUID that both know, whatever its name', () => {
  const nodes = [aNode({ machineUuid: OTHER_UUID }), own]

  expect(nodeOf(machine, { seen: aMember(), nodes, claimants })).toBe(own)
})

test('a node is found by the name that the machine has, or had', () => {
  expect(nodeOf(machine, { seen: aMember(), nodes: [unsaid], claimants })).toBe(unsaid)
  expect(nodeOf(machine, { seen: aWaiting(), nodes: [unsaid], claimants })).toBe(unsaid)
})

test('a node whose kubelet knows its machine by another UUID is found by name', () => {
  const nodes = [aNode({ machineUuid: 'as-the-kernel-swaps-it' })]

  expect(nodeOf(machine, { seen: aMember(), nodes, claimants })).toBe(nodes[0])
})

test('the node of a machine that another object stands for is not taken for its own', () => {
  const nodes = [aNode({ machineUuid: OTHER_UUID })]

  expect(nodeOf(machine, { seen: aMember(), nodes, claimants })).toBeUndefined()
  expect(nodeOf(machine, { seen: aWaiting(), nodes, claimants })).toBeUndefined()
})

test('a machine of which no name is known has no node', () => {
  const nodes = [aNode({ machineUuid: OTHER_UUID })]

  expect(
    nodeOf(aClaimedMachine(), { seen: aWaiting(), nodes, claimants: () => [] }),
  ).toBeUndefined()
})

test('of two nodes of one machine it is the one whose name it has', () => {
  const [former, now] = [aNode({ name: 'before', ready: false }), aNode()]
  const among = { seen: aMember(), nodes: [former, now] }

  expect(nodeOf(machine, { ...among, claimants })).toBe(now)
  expect(formerNodesOf(machine, now, among)).toEqual([former])
})

test('no node is a former one that is ready, is of another machine, or while the machine is none', () => {
  const now = aNode()
  const former = (over: Parameters<typeof aNode>[0], seen = aMember()) =>
    formerNodesOf(machine, now, { seen, nodes: [now, aNode({ name: 'x', ready: false, ...over })] })

  expect(former({ ready: true })).toEqual([])
  expect(former({ machineUuid: OTHER_UUID })).toEqual([])
  expect(former({}, aMember({ hostname: 'third' }))).toEqual([])
  const among = { seen: aMember(), nodes: [now] }
  expect(formerNodesOf(machine, undefined, among)).toEqual([])
  expect(formerNodesOf(machine, aNode({ ready: false }), among)).toEqual([])
})
