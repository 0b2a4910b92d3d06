import { expect, it } from 'vitest'
import { seededRandom } from '#simulator/random.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { KeptEvents } from './kept-events.ts'

function someEvents() {
  const clock = new FakeClock()
  const events = new KeptEvents(clock, seededRandom(1))
  const add = (sequence: string, actorId?: string) =>
    events.add({ type: 'SequenceEvent', sequence, action: 'START' }, actorId)
  return { clock, events, add }
}

it('keeps events with ids that sort by time', async () => {
  const { clock, events, add } = someEvents()
  for (let at = 0; at < 20; at++) {
    add('boot')
    await clock.advance(700)
  }
  const ids = events.kept.map(({ id }) => id)
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(20)
  for (const id of ids) expect(id).toMatch(/^[0-9a-v]{20}$/)
})

it('tells each event to all who listen, until they stop', () => {
  const { events, add } = someEvents()
  const told: string[] = []
  const stop = events.onEvent(({ actorId }) => told.push(actorId))
  add('reboot', 'somebody')
  stop()
  add('reboot', 'else')
  expect(told).toEqual(['somebody'])
})

it('keeps the last thousand, and none from before a boot', () => {
  const { events, add } = someEvents()
  for (let at = 0; at < 1001; at++) add(`number-${at}`)
  expect(events.kept).toHaveLength(1000)
  expect(events.kept[0]?.payload).toMatchObject({ sequence: 'number-1' })
  events.clear()
  expect(events.kept).toEqual([])
})
