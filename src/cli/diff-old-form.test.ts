import { expect, test } from 'vitest'
import { rightFormFor } from './diff-old-form.ts'

test('bare addresses are shown as they have to be written, and nothing else is', () => {
  const secret = { address: '192.0.2.3', configPatches: [{ machine: { token: 'hunter2' } }] }
  const machines = ['192.0.2.1', secret]
  const spec = { controlPlane: { metalSpec: { machines } }, worker: { metalSpec: { machines } } }

  expect(rightFormFor({ spec })).toBe(
    ['controlPlane', 'worker']
      .map(
        (part) =>
          `spec.${part}.metalSpec.machines: an entry is an object, and not a bare address. Write:\nmachines:\n  - address: 192.0.2.1`,
      )
      .join('\n'),
  )
})

test.each([{}, { spec: 1 }, { spec: { metalSpec: { machines: [{ address: 'a' }] } } }])(
  '%j has none',
  (object) => {
    expect(rightFormFor(object)).toBeUndefined()
  },
)
