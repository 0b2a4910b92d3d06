import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { misfit } from './node-fit.ts'

const aNode = (spec: Fields = {}): Fields => ({
  metadata: { name: 'one', labels: { zone: 'a', cores: '8' } },
  spec,
})
const aPod = (spec: Fields): Fields => ({ spec })
const byTerm = (term: Fields): Fields => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
  },
})
const taint = { key: 'dedicated', value: 'db', effect: 'NoSchedule' }

test.each<[string, Fields, Fields]>([
  ['asks for nothing', {}, {}],
  ['asks for its labels', { nodeSelector: { zone: 'a' } }, {}],
  [
    'tolerates its taint',
    { tolerations: [{ key: 'dedicated', value: 'db' }] },
    { taints: [taint] },
  ],
  ['tolerates everything', { tolerations: [{ operator: 'Exists' }] }, { taints: [taint] }],
  ['is only not preferred', {}, { taints: [{ ...taint, effect: 'PreferNoSchedule' }] }],
  [
    'names it',
    byTerm({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['one'] }] }),
    {},
  ],
  [
    'asks for enough',
    byTerm({ matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['4'] }] }),
    {},
  ],
])('a pod that %s fits a node', (_, pod, node) => {
  expect(misfit(aPod(pod), aNode(node))).toBeUndefined()
})

test.each<[string, Fields, Fields]>([
  ["node(s) didn't match Pod's node affinity/selector", { nodeSelector: { zone: 'b' } }, {}],
  ["node(s) didn't match Pod's node affinity/selector", byTerm({}), {}],
  ['node(s) were unschedulable', {}, { unschedulable: true }],
  ['node(s) had untolerated taint(s) {dedicated: db}', {}, { taints: [taint] }],
  [
    'node(s) had untolerated taint(s) {dedicated: db}',
    { tolerations: [{ key: 'dedicated', value: 'web' }] },
    { taints: [taint] },
  ],
])('a pod that does not fit is told: %s', (why, pod, node) => {
  expect(misfit(aPod(pod), aNode(node))).toBe(why)
})
