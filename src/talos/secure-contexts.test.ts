import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { aCluster } from './a-machine.cases.ts'
import { SecureContexts } from './secure-contexts.ts'

const { access } = aCluster()

test('all machines of a cluster share one context, for as long as one of them is dialled each minute', async () => {
  const clock = new FakeClock()
  const contexts = new SecureContexts(clock)
  const first = contexts.of(access)

  for (let dials = 0; dials < 3; dials++) {
    await clock.advance(59_000)
    expect(contexts.of({ ...access })).toBe(first)
  }
})

test('what nobody has used for a minute is forgotten when somebody else is dialled', async () => {
  const clock = new FakeClock()
  const contexts = new SecureContexts(clock)
  const first = contexts.of(access)
  await clock.advance(60_000)
  contexts.of(aCluster().access)

  expect(contexts.of(access)).not.toBe(first)
})
