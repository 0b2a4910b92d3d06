import { expect, test } from 'vitest'
import { aMachine } from '#test/builders.ts'
import { aNode } from '#test/machine-world.ts'
import { strayNodes } from './stray-nodes.ts'

const machine = aMachine()
const drainedFor = (name: string, by: string) =>
  aNode({
    name,
    uid: `uid-of-${name}`,
    drain: { by, since: '2030-01-01T00:00:00Z', cordoned: true },
  })
const nodes = [aNode(), drainedFor('a', machine.metadata.uid ?? ''), drainedFor('b', 'gone')]

test('a node is astray if it was drained for nobody who is there', () => {
  const api = { is: 'answering' as const, version: 'v1.35.0' }

  expect(strayNodes({ api, nodes }, [machine])).toEqual([
    { node: 'b', uid: 'uid-of-b', by: 'gone' },
  ])
})

test('of a cluster that does not answer nobody knows', () => {
  expect(strayNodes({ api: { is: 'connecting' }, nodes }, [machine])).toEqual([])
})
