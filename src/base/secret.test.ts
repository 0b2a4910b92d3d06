import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from './secret.ts'

test('a secret shows as stars wherever it is printed', () => {
  const secret = new Secret('hunter2')

  const printed = [
    String(secret),
    `${secret}`,
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 5, showHidden: true }),
    new Error(`refused ${secret}`).message,
    Object.keys(secret).join(),
    JSON.stringify({ ...secret }),
  ]
  expect(printed.filter((text) => text.includes('hunter2'))).toEqual([])
  expect(printed[0]).toBe('***')
})

test('a secret is there for whoever opens it', () => {
  expect(new Secret('hunter2').open()).toBe('hunter2')
})
