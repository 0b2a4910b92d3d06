import { describe, expect, test } from 'vitest'
import { differences, type Life, verdictOn } from './mutants-life.ts'

const LONG = 120_000

/** Holds that the harness is content with the operator that is shipped, and finds out each mutant. */
export function findsOut(subnet: string, lives: readonly Life[]): void {
  for (const life of lives) describe(life.title, () => findsOutIn(subnet, life))
}

function findsOutIn(subnet: string, life: Life): void {
  let right: string[]

  test('all holds with the operator that is shipped', { timeout: LONG }, async () => {
    const { broken, state } = await verdictOn(subnet, life)
    right = state

    expect(broken).toEqual([])
    for (const end of life.ends) expect(state.join('\n')).toContain(end)
  })

  for (const mutant of life.mutants) {
    test(`an operator is found out that ${mutant.title}`, { timeout: LONG }, async () => {
      const { broken, state } = await verdictOn(subnet, life, mutant)

      const said = [...broken, ...differences(right, state)]
      expect(said).toContainEqual(expect.stringContaining(mutant.said))
    })
  }
}
