import { expect, test } from 'vitest'
import { ETCD_SEEN, RECONCILE_MODE } from '#api/labels.ts'
import { notBuiltYet } from '#controllers/control-plane/rules/input.ts'
import { aControlPlane, aWorker } from '#test/builders.ts'
import { aWorld } from '#test/control-plane-world.ts'
import { notBuiltAtAll } from './diff-not-built.ts'

const facts = (annotations: Record<string, string>) =>
  aControlPlane({ metadata: { annotations }, spec: { kubeVersion: 'v1.35.0' } })

test('a mode that is not built is what the operator says that it is not', () => {
  const controlPlane = aControlPlane({ spec: { mode: 'container' } })
  const said = notBuiltAtAll(controlPlane)

  expect(said).toMatchObject({ reason: 'NotSupportedYet' })
  expect(notBuiltYet(controlPlane, aWorld())?.ready).toMatchObject({ ...said })
})

test('nothing is changed by what takes a cluster over', () => {
  const annotations = { [RECONCILE_MODE]: 'import' }

  expect(notBuiltAtAll(facts(annotations))).toMatchObject({ reason: 'Importing' })
  expect(notBuiltAtAll(facts({ ...annotations, [ETCD_SEEN]: 'a' }))).toBeUndefined()
})

test('the rest is built', () => {
  expect([aControlPlane(), aWorker()].map(notBuiltAtAll)).toEqual([undefined, undefined])
})
