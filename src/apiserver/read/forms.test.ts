import { expect, test } from 'vitest'
import { includeIn, partialListOf, tableOf } from './forms.ts'

const including = (value: string) => includeIn(new URLSearchParams({ includeObject: value }))

test('a table carries metadata unless it is told otherwise', () => {
  expect(includeIn(new URLSearchParams())).toBe('Metadata')
  expect(['', 'Metadata', 'Object', 'None'].map(including)).toEqual([
    'Metadata',
    'Metadata',
    'Object',
    'None',
  ])
})

test('a table cannot carry what is not known', () => {
  expect(() => including('Everything')).toThrow(
    `Unable to convert to Table as requested: includeObject: Invalid value: "Everything": must be 'Metadata', 'Object', 'None', or empty`,
  )
})

test('a list of metadata has what objects say of themselves, and no items where there are none', () => {
  const metadata = { resourceVersion: '7', continue: '' }
  const object = { kind: 'A', metadata: { name: 'a' }, spec: {} }

  expect(partialListOf(metadata, [object])).toEqual({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '7' },
    items: [
      { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } },
    ],
  })
  expect(partialListOf(metadata, []).items).toBeNull()
})

test('a table says where to go on, if there is more', () => {
  const metadata = { resourceVersion: '7', continue: 'x', remainingItemCount: 2 }

  expect(tableOf([], [], metadata).metadata).toEqual(metadata)
  expect(tableOf([], [], { ...metadata, continue: '' }).metadata).toEqual({
    resourceVersion: '7',
    remainingItemCount: 2,
  })
})
