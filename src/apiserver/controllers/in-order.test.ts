import { expect, test } from 'vitest'
import type { Steps } from '#apiserver/steps.ts'
import type { Clock } from '#base/clock.ts'
import { systemClock } from '#base/clock.ts'
import { quietLog } from '#test/quiet-log.ts'
import { until } from '#test/until.ts'
import { InOrder } from './in-order.ts'
import type { Seen } from './world.ts'

const LARGE = 100_000

const change = (key: string, bytes: number): Seen => ({
  ...{ type: 'put', key, value: Buffer.alloc(bytes), previous: undefined },
})

test('a small change waits for a large one before it, and what fails disturbs no other', async () => {
  const errors: string[] = []
  const log = quietLog({ error: (message) => void errors.push(message) })
  const clock: Clock = { ...systemClock, monotonicMs: () => 0 }
  const noted: string[] = []
  const notes = new InOrder({ clock, log }, function* ({ key }): Steps<void> {
    yield
    if (key === 'bad') throw new Error('no')
    noted.push(key)
  })

  notes.add(change('first', 10))
  expect(noted).toEqual(['first'])
  notes.add(change('bad', LARGE))
  notes.add(change('large', LARGE))
  notes.add(change('small', 10))
  expect(noted).toEqual(['first', 'large'])

  await until(
    'all to be noted',
    async () => noted,
    ({ length }) => length === 3,
  )
  expect(noted).toEqual(['first', 'large', 'small'])
  expect(errors).toEqual(['housekeeping failed'])
})
