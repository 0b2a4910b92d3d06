import { expect, test } from 'vitest'
import type { KubeObject, ObjectMeta } from '#api/meta.ts'
import { aReader } from '#test/a-reader.ts'
import { aKubernetesCluster } from '#test/builders.ts'
import { allMade, NO_PARTS } from '#test/kubernetes-cluster-world.ts'
import { byClusterName, namesakeOf } from './namesake.ts'

const NOTHING = { machines: [], talos: NO_PARTS }

const called = (name: string, metadata: Partial<ObjectMeta> = {}) =>
  aKubernetesCluster({
    metadata: { name, uid: name, creationTimestamp: '2030-01-01T00:00:05Z', ...metadata },
    spec: { clusterName: 'prod' },
  })

/** Who goes by the name of the cluster `own`, beside these. */
const beside = (others: KubeObject[], of: Parameters<typeof namesakeOf>[1] = NOTHING) => {
  const { read } = aReader({ cached: others })
  const clusters = others.filter(({ kind }) => kind === 'KubernetesCluster')
  const found = { ...read, find: () => clusters as never[] } // of the kind that was asked for
  return namesakeOf(called('own'), of, found)
}

test('clusters are found by what they are called, which is not always the name of the object', () => {
  expect(byClusterName(called('own'))).toEqual(['prod'])
})

test('whoever came first has the name; of the same second, the first by name', () => {
  expect(beside([called('own')])).toBeUndefined()
  expect(beside([called('old', { creationTimestamp: '2030-01-01T00:00:04Z' })])).toBe('old')
  expect(beside([called('new', { creationTimestamp: '2030-01-01T00:00:06Z' })])).toBeUndefined()
  expect(beside([called('a')])).toBe('a')
  expect(beside([called('z')])).toBeUndefined()
})

test('whoever has Machines has the name, and is refused by nobody', () => {
  const later = called('z', { creationTimestamp: '2030-01-01T00:00:06Z' })
  const [machine] = allMade(later)
  const old = called('a')

  expect(beside([later, ...(machine ? [machine] : [])])).toBe('z')
  expect(beside([old], { ...NOTHING, machines: allMade(called('own')) })).toBeUndefined()
})

test('in another namespace the same name is another one', () => {
  expect(beside([called('a', { namespace: 'elsewhere' })])).toBeUndefined()
})
