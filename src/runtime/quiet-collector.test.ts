import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { ownProcess, QuietCollector } from './quiet-collector.ts'

const MEBIBYTE = 1024 * 1024
const A_LOOK_MS = 30_000

/** A process with so many MiB in use that are no garbage. */
function aProcess(inUse = 30) {
  const state = { used: inUse * MEBIBYTE, held: inUse * MEBIBYTE, busy: 0, collections: 0 }
  return Object.assign(state, {
    collect: () => {
      state.collections += 1
      state.used = inUse * MEBIBYTE
    },
    compact: () => {
      state.held = inUse * MEBIBYTE
    },
    usedBytes: () => state.used,
    heldBytes: () => state.held,
    busyPart: () => state.busy,
  })
}

test('what work left behind is collected once the work is done', async () => {
  const [clock, process] = [new FakeClock(), aProcess()]
  using _collector = new QuietCollector(clock, process)
  await clock.advance(A_LOOK_MS)
  process.busy = 0.5
  process.used = 60 * MEBIBYTE
  const before = process.collections

  await clock.advance(3 * A_LOOK_MS)
  expect(process.collections).toBe(before)

  process.busy = 0.05
  await clock.advance(A_LOOK_MS)
  expect(process.collections).toBe(before + 1)
})

test('a process at rest is left at rest', async () => {
  const [clock, process] = [new FakeClock(), aProcess()]
  using _collector = new QuietCollector(clock, process)
  await clock.advance(A_LOOK_MS)
  process.used += 5 * MEBIBYTE
  const before = process.collections

  await clock.advance(10 * A_LOOK_MS)

  expect(process.collections).toBe(before)
})

test('the room that a busy time took is given back, and a little more than is in use is kept', async () => {
  const [clock, process] = [new FakeClock(), aProcess()]
  using _collector = new QuietCollector(clock, process)
  const collectedWith = async (held: number) => {
    process.used = 60 * MEBIBYTE
    process.held = held * MEBIBYTE
    await clock.advance(A_LOOK_MS)
    return process.held / MEBIBYTE
  }

  expect(await collectedWith(70)).toBe(30)
  expect(await collectedWith(37)).toBe(37)
  expect(await collectedWith(39)).toBe(30)
})

test('the more is in use, the more garbage is worth a collection', async () => {
  const [clock, process] = [new FakeClock(), aProcess(300)]
  using _collector = new QuietCollector(clock, process)
  await clock.advance(A_LOOK_MS)
  const before = process.collections

  process.used += 29 * MEBIBYTE
  await clock.advance(A_LOOK_MS)
  expect(process.collections).toBe(before)

  process.used += 2 * MEBIBYTE
  await clock.advance(A_LOOK_MS)
  expect(process.collections).toBe(before + 1)
})

test('after its end nothing is collected', async () => {
  const [clock, process] = [new FakeClock(), aProcess()]
  const collector = new QuietCollector(clock, process)
  collector[Symbol.dispose]()

  await clock.advance(10 * A_LOOK_MS)

  expect(process.collections).toBe(0)
})

test('without the means nothing is done, and with them what is in use is known', () => {
  const own = ownProcess()
  if (!globalThis.gc) expect(own).toBeUndefined()
  else {
    own?.collect()
    own?.compact()
    expect(own?.heldBytes()).toBeGreaterThan(own?.usedBytes() ?? 0)
    expect(own?.usedBytes()).toBeGreaterThan(MEBIBYTE)
    expect(own?.busyPart()).toBeGreaterThan(0)
  }
})
