import { expect, test } from 'vitest'
import { compareVersions } from './version-order.ts'

test('versions are ranked as Kubernetes ranks them', () => {
  const ranked = [
    'v10',
    'v2',
    'v1',
    'v2beta1',
    'v1beta2',
    'v1beta1',
    'v2alpha1',
    'v1alpha1',
    'bar',
    'foo',
    'v1x',
  ]

  expect(ranked.toReversed().sort(compareVersions)).toEqual(ranked)
})
