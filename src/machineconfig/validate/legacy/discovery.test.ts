import { expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import { discoveryProblems } from './discovery.ts'

const judged = (service: ValueMap, rest: ValueMap = { id: 'a', secret: 'b' }): string[] => [
  ...discoveryProblems({ discovery: { enabled: true, registries: { service } }, ...rest }),
]

test('discovery needs an identity, if it is asked outside of the cluster', () => {
  expect(judged({})).toEqual([])
  expect(judged({}, {})).toEqual([
    'cluster discovery service requires .cluster.id',
    'cluster discovery service requires .cluster.secret',
  ])
  expect(judged({ disabled: true, endpoint: 'x' }, {})).toEqual([])
  expect([...discoveryProblems({ discovery: { enabled: false } })]).toEqual([])
})

test('its endpoint is a host alone', () => {
  expect(judged({ endpoint: 'https://a.example/' })).toEqual([])
  expect(judged({ endpoint: 'https://a.example/a' })).toEqual([
    'cluster discovery service path should be empty',
  ])
  expect(judged({ endpoint: 'a' })).toEqual([
    'cluster discovery service registry endpoint is invalid: parse "a": invalid URI for request',
  ])
})
