import { afterAll, beforeAll, expect, test } from 'vitest'
import { ourQuietCalls } from '#test/our-client/our-calls.ts'
import { type OurFleet, ourFleet } from '#test/our-client/our-fleet.ts'
import { ourLaterCalls } from '#test/our-client/our-later-calls.ts'
import { ourStateCalls } from '#test/our-client/our-state-calls.ts'

// Our client against machines of the simulator, over TLS: each call once as it should be, once not.

const calls = [...ourStateCalls, ...ourQuietCalls, ...ourLaterCalls]

let our: OurFleet

beforeAll(async () => {
  our = await ourFleet('127.61.1', {
    ...{ cp1: 'v1.13.0', cp2: 'v1.13.0', cp3: 'v1.13.0', worker: 'v1.13.0' },
    ...{ waiting: 'v1.13.0', old: 'v1.12.0', newest: 'v1.14.0', lone: 'v1.13.0' },
  })
  await our.bringUp(['cp1', 'cp2', 'cp3'], ['worker'])
  await our.configure('controlplane', ['lone'], 'other')
  await our.answers(
    'a control plane that waits for its birth',
    () => our.machine('lone', 'other').state.status(),
    (seen) => seen?.stage === 'booting',
  )
})

afterAll(() => our?.[Symbol.asyncDispose]())

test.each(calls)('$name that must fail tells what became of it', async ({ bad, fails }) => {
  await expect(bad(our)).rejects.toMatchObject(fails)
})

test.each(calls)('$name does what it says', async ({ good, gives }) => {
  expect(await good(our)).toEqual(gives)
})

test('every call of a machine is in the table', async () => {
  const named = (of: object, prefix = ''): string[] =>
    Object.entries(of).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value === 'function') return [`${prefix}${name}`]
      return typeof value === 'object' && value ? named(value, `${prefix}${name}.`) : []
    })

  const all = await our.machine('cp1').bound(async (same) => named(same))
  expect(calls.map(({ name }) => name).sort()).toEqual(all.sort())
})
