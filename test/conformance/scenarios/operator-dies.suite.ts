import { expect, test } from 'vitest'
import { created } from '#test/scenarios/operator-dies.cases.ts'

const SUBNET = '127.80.102'
const WAYS = ['killed before', 'killed after', 'reply lost'] as const
const LONGEST_MS = 3_600_000

// A quarter of an hour on two cores: hundreds of clusters, each from nothing to Ready.
test('whatever call the operator dies at or hears no answer to, the cluster is the same in the end', {
  timeout: LONGEST_MS,
}, async () => {
  const clean = await created(SUBNET)
  const broken: string[] = []

  for (let at = 1; at <= clean.calls; at++) {
    for (const how of WAYS) {
      const problem = await created(SUBNET, { how, at }).then(
        ({ state }) => (`${state}` === `${clean.state}` ? undefined : state.join('\n')),
        String,
      )
      if (problem !== undefined) broken.push(`${how} ${at}: ${problem}`)
    }
  }

  expect(broken).toEqual([])
})
