import { expect, test } from 'vitest'
import { Blocks } from './blocks.ts'
import { type Block, NO_BLOCK } from './loop-probe.ts'

/** Was blocked as long as this after each of its works. */
function blockedBy(...all: Block[]) {
  const answers = all.flatMap((block) => [NO_BLOCK, block])
  return { longestBlock: async () => answers.shift() ?? NO_BLOCK }
}

const nothing = async () => {}

test('what blocks a loop once in three times is shown, and does not count', async () => {
  const often = { ms: 30, atWorkMs: 5 }
  const loop = blockedBy({ ms: 90, atWorkMs: 7 }, often, often)
  const blocks = new Blocks()
  for (let round = 0; round < 3; round++) await blocks.observed(loop, 'a list', nothing)

  expect(blocks.longest()).toBe(30)
  expect(blocks.shown()).toBe('a list 30 (90, 7)')
})

test('what blocks it most times counts, and the worst comes first', async () => {
  const blocks = new Blocks()
  const slow = { ms: 70, atWorkMs: 60 }
  const loop = blockedBy(slow, { ms: 5, atWorkMs: 5 }, slow)
  await blocks.observed(blockedBy({ ms: 40, atWorkMs: 40 }), 'gets', nothing)
  for (let round = 0; round < 3; round++) await blocks.observed(loop, 'a list', nothing)

  expect(blocks.longest()).toBe(70)
  expect(blocks.shown()).toBe('a list 70 (70, 60), gets 40 (40, 40)')
})
