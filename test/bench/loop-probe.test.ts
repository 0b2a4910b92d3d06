import { expect, test } from 'vitest'
import { LoopProbe, NO_BLOCK } from './loop-probe.ts'

test('the longest turn is found, and forgotten when it was taken', () => {
  const probe = new LoopProbe({ ms: 100, cpuMs: 0 })
  probe.look({ ms: 105, cpuMs: 2 })
  probe.look({ ms: 145, cpuMs: 40 })
  probe.look({ ms: 150, cpuMs: 41 })

  expect(probe.take()).toEqual({ ms: 40, atWorkMs: 38 })
  expect(probe.take()).toEqual(NO_BLOCK)
})

test('waiting for a core is no work, and other threads make no turn longer than it was', () => {
  const probe = new LoopProbe({ ms: 0, cpuMs: 0 })
  probe.look({ ms: 80, cpuMs: 10 })
  probe.look({ ms: 100, cpuMs: 45 })

  expect(probe.take()).toEqual({ ms: 80, atWorkMs: 20 })
})
