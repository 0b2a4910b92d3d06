import { expect, test } from 'vitest'
import { DRAIN } from '#api/labels.ts'
import { leanNode, seenIn } from './cluster-nodes-seen.ts'

const node = {
  metadata: { name: 'n1', uid: 'u1', resourceVersion: '7', labels: { a: 'b' } },
  status: {
    conditions: [
      { type: 'MemoryPressure', status: 'False', reason: 'Enough' },
      { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'all is well' },
    ],
    addresses: [
      { type: 'InternalIP', address: '10.0.0.9' },
      { type: 'Hostname', address: 'n1' },
      { type: 'ExternalIP', address: '10.0.0.10' },
      { type: 'InternalIP', address: '10.0.0.9' },
    ],
    nodeInfo: {
      systemUUID: '4C4C4544-0042-3510-8052-B4C04F4E3132',
      kubeletVersion: 'v1.34.0',
      osImage: 'Talos (v1.11.0)',
    },
  },
}

test('a node is what matters of it, with sorted addresses and a UUID in small letters', () => {
  expect(seenIn(node)).toEqual({
    ...{ name: 'n1', uid: 'u1', ready: true, reason: 'KubeletReady' },
    addresses: ['10.0.0.10', '10.0.0.9'],
    kubeletVersion: 'v1.34.0',
    machineUuid: '4c4c4544-0042-3510-8052-b4c04f4e3132',
    isUnschedulable: false,
  })
})

test('a cordon is seen, and our mark on it', () => {
  const drain = { by: 'uid-1', since: '2030-01-01T00:00:00Z', cordoned: true }
  const metadata = { ...node.metadata, annotations: { [DRAIN]: JSON.stringify(drain) } }

  expect(seenIn({ ...node, metadata, spec: { unschedulable: true } })).toMatchObject({
    ...{ isUnschedulable: true, drain },
  })
})

test('nothing else of it is kept, but for its version', () => {
  expect(leanNode(node)).toEqual({
    metadata: { name: 'n1', uid: 'u1', resourceVersion: '7' },
    seen: seenIn(node),
  })
})

test('a node that has only just registered is not ready, and nobody says why', () => {
  expect(seenIn({ metadata: { name: 'n1' } })).toEqual({
    ...{ name: 'n1', uid: '', ready: false, reason: 'Unknown', addresses: [], kubeletVersion: '' },
    isUnschedulable: false,
  })
})

test.each(['False', 'Unknown'])('a node whose Ready is %s is not', (status) => {
  const conditions = [{ type: 'Ready', status, reason: 'NodeStatusUnknown' }]

  expect(seenIn({ metadata: { name: 'n1' }, status: { conditions } })).toMatchObject({
    ...{ ready: false, reason: 'NodeStatusUnknown' },
  })
})
