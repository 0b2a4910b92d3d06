import { expect, test } from 'vitest'
import { created } from '#test/scenarios/operator-dies.cases.ts'

const SUBNET = '127.80.102'
const WAYS = ['killed before', 'killed after', 'reply lost'] as const
const LONGEST_MS = 3_600_000
// All of them are hundreds of clusters, each from nothing to Ready, and take a quarter of an hour:
// CRASH_EVERY=1. Five shares no factor with the ways, so each way has its turn at each part of the story.
const EVERY = Number(process.env.CRASH_EVERY ?? 5)

test('whatever call the operator dies at or hears no answer to, the cluster is the same in the end', {
  timeout: LONGEST_MS,
}, async () => {
  const clean = await created(SUBNET)
  const calls = Array.from({ length: clean.calls }, (_, at) => at + 1)
  const points = calls.flatMap((at) => WAYS.map((how) => ({ at, how })))
  const broken: string[] = []

  for (const { at, how } of points.filter((_, index) => index % EVERY === 0)) {
    const problem = await created(SUBNET, { how, at }).then(
      ({ state }) => (`${state}` === `${clean.state}` ? undefined : state.join('\n')),
      String,
    )
    if (problem !== undefined) broken.push(`${how} ${at}: ${problem}`)
  }

  expect(broken).toEqual([])
})
