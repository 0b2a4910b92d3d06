import { expect, test } from 'vitest'
import { BOOTSTRAP_MACHINE, CONTRACT, ETCD_SEEN, KUBE_VERSION, MACHINE_UUID } from '#api/labels.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { aMember, anUnclaimed, aWorld } from '#test/control-plane-world.ts'
import { recordFacts } from './facts.ts'

const RECORDED = { [CONTRACT]: 'v1.11', [KUBE_VERSION]: 'v1.34.1' }
const BEGUN = { [BOOTSTRAP_MACHINE]: 'uuid-1' }
const NEWER = { version: 'v1.13.0', kubeVersion: 'v1.35.0' }
const silent = { is: 'connecting' as const }

/** What is written down of a cluster that asks for {@link NEWER}. */
const written = (annotations: Record<string, string>, over: Partial<World> = {}) => {
  const world = aWorld({ machines: [], api: silent, ...over })
  const decision = recordFacts(aControlPlane({ metadata: { annotations }, spec: NEWER }), world)
  const [step] = decision?.steps ?? []
  return step && 'contract' in step ? [step.contract, step.kubeVersion] : undefined
}

test('of a new cluster is what its spec says, before it has a machine', () => {
  expect(written({})).toEqual(['v1.13', 'v1.35.0'])
  expect(written({}, { machines: [anUnclaimed(1)] })).toEqual(['v1.13', 'v1.35.0'])
})

test('the version of Kubernetes follows the spec until the cluster begins, the form never', () => {
  expect(written(RECORDED, { machines: [aMachine()] })).toEqual(['v1.11', 'v1.35.0'])
  const claimed = aMachine({ metadata: { annotations: { [MACHINE_UUID]: 'uuid-1' } } })
  expect(written(RECORDED, { machines: [claimed] })).toEqual(['v1.11', 'v1.35.0'])
})

test.each([
  ['was asked to begin', BEGUN],
  ['was seen', { [ETCD_SEEN]: 'uuid-1' }],
])('nothing follows an edit once the cluster %s', (_what, mark) => {
  const api = { is: 'answering' as const, version: 'v1.35.0' }

  expect(written({ ...RECORDED, ...mark }, { machines: [aMember(1)], api })).toBeUndefined()
  // All statuses were wiped.
  expect(written({ ...RECORDED, ...mark }, { machines: [aMachine()] })).toBeUndefined()
})

test('of a cluster that was made by others it is what runs, and nothing while that is not seen', () => {
  const before = aMachine({ status: { config: 'machine: {}', observedVersion: 'v1.12.4' } })
  const claimed = aMember(1, { observedVersion: 'v1.12.4' })
  const api = { is: 'answering' as const, version: 'v1.34.2' }

  expect(written({}, { machines: [before], api })).toBeUndefined()
  expect(written({}, { machines: [claimed], api })).toBeUndefined()
  expect(written(BEGUN, { machines: [claimed] })).toBeUndefined()
  expect(written(BEGUN, { machines: [aMember(2), claimed], api })).toEqual(['v1.12', 'v1.34.2'])
})

test('makes nothing less ready that was', () => {
  const controlPlane = aControlPlane({
    ...{ metadata: { annotations: BEGUN }, status: { state: 'Ready' } },
  })
  const { spec: _, ...silentOne } = controlPlane

  expect(recordFacts(controlPlane, aWorld())).toEqual({
    ...{ state: 'Ready', steps: [expect.objectContaining({ do: 'recordFacts' })] },
  })
  expect(recordFacts(silentOne, aWorld())).toBeUndefined()
})
