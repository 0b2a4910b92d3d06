import { expect, it } from 'vitest'
import { heldConfig } from './held-config.ts'

const text = (name: string) => `machine:
  type: worker
  network:
    hostname: ${name}
cluster:
  id: id-of-the-cluster
`

it('is one and the same for all machines with the same text and version', () => {
  const held = heldConfig(text('one'), 'v1.11.0')
  expect(heldConfig(text('one'), 'v1.11.0')).toBe(held)
  expect(held.facts?.hostname).toBe('one')
  expect(held.text.open()).toBe(text('one'))
})

it('is another for another text, and for another version of Talos', () => {
  const held = heldConfig(text('one'), 'v1.11.0')
  expect(heldConfig(text('two'), 'v1.11.0').facts?.hostname).toBe('two')
  expect(heldConfig(text('one'), 'v1.12.0')).not.toBe(held)
})
