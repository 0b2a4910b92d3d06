import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import type { Steps } from '#apiserver/steps.ts'
import { configMap } from './config-map.ts'
import { secret } from './secret.ts'

const KEYS = 5_000
const context = {
  ...{ user: { name: 'someone', groups: [] }, now: '2026-01-01T00:00:00Z', dryRun: false },
  warn: () => {},
}

const manyKeys = (value: string): Fields =>
  Object.fromEntries(Array.from({ length: KEYS }, (_, at) => [`key-${at}`, value]))

function pausesIn(steps: Steps<unknown> | undefined): number {
  let pauses = 0
  while (steps && !steps.next().done) pauses++
  return pauses
}

test.each([
  [
    'the texts of a config map',
    () => configMap.check?.({ data: manyKeys('a') }, undefined, context),
  ],
  [
    'the bytes of a config map',
    () => configMap.check?.({ binaryData: manyKeys('YQ==') }, undefined, context),
  ],
  ['a secret', () => secret.check?.({ data: manyKeys('YQ==') }, undefined, context)],
  ['the texts of a secret', () => secret.fillDefaults?.({ stringData: manyKeys('a') })],
])('there are pauses where %s are very many', (_, begin) => {
  expect(pausesIn(begin())).toBeGreaterThan(20)
})
