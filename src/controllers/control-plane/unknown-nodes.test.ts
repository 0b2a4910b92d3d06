import { describe, expect, test } from 'vitest'
import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { NodeSeen } from '#engine/cluster-nodes-seen.ts'
import { aWorker, aWorkerMachine } from '#test/builders.ts'
import { aBooting, aMember, uuidAt } from '#test/control-plane-world.ts'
import { aNode } from '#test/machine-world.ts'
import { unknownNodeNotices, unknownNodes } from './unknown-nodes.ts'

const api = { is: 'answering' as const, version: 'v1.35.0' }
const machines = [aMember(1)]
const pools = [aWorker({ metadata: { name: 'pool' } })]

const nodeAt = (at: number, over: Partial<NodeSeen> = {}) =>
  aNode({ name: `node-${at}`, machineUuid: uuidAt(at), addresses: [`192.0.2.${at}`], ...over })

/** One that was never claimed, of a pool. */
const workerAt = (at: number, pool = 'pool', status: Machine['status'] = {}): Machine =>
  aWorkerMachine({
    metadata: { name: `${pool}-${at}` },
    spec: { endpoint: `192.0.2.${at}`, workerRef: { name: pool } },
    status,
  })

const namesOf = (nodes: NodeSeen[], others: Machine[] = []) =>
  unknownNodes({ api, nodes }, { machines, pools, all: [...machines, ...others] }).map(
    ({ name }) => name,
  )

describe('a node is nobody’s', () => {
  test('if no object has its machine, or one at its address or of its name', () => {
    const renamed = workerAt(9, 'pool', { hostname: 'node-4', addresses: ['2001:DB8:0::5'] })
    const nodes = [2, 3, 4].map((at) => nodeAt(at))
    const six = nodeAt(5, { addresses: ['2001:db8::5'] })

    expect(namesOf([nodeAt(1), ...nodes, six], [workerAt(3), renamed])).toEqual(['node-2'])
  })

  test('unless an object of another cluster has the machine, which that then says', () => {
    const elsewhere = workerAt(9, 'other')
    const annotations = { [MACHINE_UUID]: uuidAt(2).toUpperCase() }
    const claimed = { ...elsewhere, metadata: { ...elsewhere.metadata, annotations } }

    expect(namesOf([nodeAt(2)], [claimed])).toEqual([])
    // That one there has its address says nothing: it may be in another network.
    expect(namesOf([nodeAt(9)], [elsewhere])).toEqual(['node-9'])
  })

  test('only if it is a machine, and its cluster answers', () => {
    const { machineUuid: _, ...virtual } = nodeAt(2)
    const seen = { api: { is: 'connecting' as const }, nodes: [nodeAt(2)] }

    expect(namesOf([virtual])).toEqual([])
    expect(unknownNodes(seen, { machines, pools, all: machines })).toEqual([])
  })
})

describe('that a node is nobody’s', () => {
  const listed = { id: '0000000000000001', name: 'cp-1', learner: false }
  const well = aMember(1, { ...aMember(1).status, etcdMembers: [listed] })
  const unknown = { name: 'node-2', machineUuid: uuidAt(2), address: '192.0.2.2' }
  const told = (own: Machine[], unknownNodes = [unknown]) =>
    unknownNodeNotices({ machines: own, unknownNodes })

  test('is told with how to wipe its machine, and how to take the node away', () => {
    const [notice, ...others] = told([well])

    expect(others).toEqual([])
    expect(notice?.reason).toBe('UnknownNode')
    expect(notice?.message).toContain(`node-2 (machine ${uuidAt(2)} at 192.0.2.2)`)
    expect(notice?.message).toContain('`talosctl -e 192.0.2.1 -n 192.0.2.2 reset`')
    expect(notice?.message).toContain('`kubectl delete node node-2`')
  })

  test('is not told while a machine is on its way, or when it is gone', () => {
    expect(told([well, aBooting(2)])).toEqual([])
    expect(told([aMember(1)])).toEqual([])
    expect(told([well], [])).toEqual([])
  })
})
