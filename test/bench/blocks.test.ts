import { expect, test } from 'vitest'
import { Blocks } from './blocks.ts'
import { type Block, NO_BLOCK } from './loop-probe.ts'

/** Was blocked as long as this after each of its works. */
function blockedBy(...all: Block[]) {
  const answers = all.flatMap((block) => [NO_BLOCK, block])
  return { longestBlock: async () => answers.shift() ?? NO_BLOCK }
}

const nothing = async () => {}

test('what blocks a loop once in three times counts, and the worst comes first', async () => {
  const blocks = new Blocks()
  const loop = blockedBy({ ms: 95, ownMs: 5 }, { ms: 90, ownMs: 70 }, { ms: 30, ownMs: 9 })
  await blocks.observed(blockedBy({ ms: 40, ownMs: 40 }), 'gets', nothing)
  for (let round = 0; round < 3; round++) await blocks.observed(loop, 'a list', nothing)

  expect(blocks.longest()).toBe(70)
  expect(blocks.shown()).toBe('a list 70 (95), gets 40 (40)')
})
