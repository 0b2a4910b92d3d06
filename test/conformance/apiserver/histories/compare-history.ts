import { type Difference, describeDifferences } from '#test/conformance/apiserver/differences.ts'
import type { Comparison } from '#test/conformance/apiserver/run-cases.ts'
import type { History, Step } from './history.ts'
import { playHistory, stepOfEntry } from './play-history.ts'

/**
 * Plays a history on both APIs. Tells nothing if they agree; else the fewest of its first steps after
 * which they do not, without those that do not matter, and how they differ.
 */
export async function disagreement(
  comparison: Pick<Comparison, 'of'>,
  history: History,
  name: string,
): Promise<string> {
  let tries = 0
  const differencesAfter = async (steps: Step[]): Promise<Difference[]> => {
    tries += 1
    const play = { ...history, steps }
    const verdict = await comparison.of({
      name: `${name}, ${tries}`,
      play: (stage) => playHistory(stage, play),
    })
    return verdict.differences
  }

  const all = await differencesAfter(history.steps)
  const [first] = all
  if (!first) return ''
  const ending = history.steps.slice(0, stepOf(first))
  let shortest = { steps: ending, differences: all.filter((one) => stepOf(one) === ending.length) }
  for (const step of ending.slice(0, -1).toReversed()) {
    const steps = shortest.steps.filter((one) => one !== step)
    const differences = await differencesAfter(steps)
    if (differences.length > 0) shortest = { steps, differences }
  }
  return [
    `${name} of a ${history.kind}: after these steps the answers differ`,
    ...shortest.steps.map((step) => JSON.stringify(step)),
    describeDifferences(shortest.differences),
  ].join('\n')
}

/** How many steps lead to a difference, itself included. */
const stepOf = ({ where }: Difference): number => stepOfEntry(Number.parseInt(where, 10))
