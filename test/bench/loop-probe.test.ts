import { expect, test } from 'vitest'
import { LoopProbe, NO_BLOCK } from './loop-probe.ts'

test('the longest turn is found, and forgotten when it was taken', () => {
  const probe = new LoopProbe({ ms: 100, waitedMs: 7 })
  probe.look({ ms: 105, waitedMs: 7 })
  probe.look({ ms: 145, waitedMs: 9 })
  probe.look({ ms: 150, waitedMs: 9 })

  expect(probe.take()).toEqual({ ms: 40, ownMs: 38 })
  expect(probe.take()).toEqual(NO_BLOCK)
})

test('to wait for a core is none of its own, to wait for anything else is', () => {
  const probe = new LoopProbe({ ms: 0, waitedMs: 0 })
  probe.look({ ms: 80, waitedMs: 70 })
  probe.look({ ms: 100, waitedMs: 70 })

  expect(probe.take()).toEqual({ ms: 80, ownMs: 20 })
})
