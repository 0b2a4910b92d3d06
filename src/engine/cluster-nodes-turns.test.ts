import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { Turns } from './cluster-nodes-turns.ts'

const { signal } = new AbortController()

/** Asks for turns, and tells who has got one. */
function asking(turns: Turns) {
  const got: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, isHopeful = true) =>
    void turns.take(isHopeful, signal).then((end) => {
      got.push(name)
      ends.set(name, end)
    })
  return { got, ask, end: (name: string) => ends.get(name)?.() }
}

test('one who comes alone need not wait', async () => {
  const clock = new FakeClock()
  const { got, ask } = asking(new Turns(clock))

  ask('a')
  await clock.advance(0)

  expect(got).toEqual(['a'])
})

test('those who come together have turns one after the other, eight at once', async () => {
  const clock = new FakeClock()
  const { got, ask, end } = asking(new Turns(clock))
  for (let at = 0; at < 12; at++) ask(`${at}`)

  await clock.advance(40)
  expect(got).toEqual(['0', '1', '2'])
  await clock.advance(500)
  expect(got).toHaveLength(8)
  end('3')
  await clock.advance(20)

  expect(got.slice(8)).toEqual(['8'])
})

test('a turn that takes long no longer counts, so that the dead keep nobody waiting', async () => {
  const clock = new FakeClock()
  const { got, ask, end } = asking(new Turns(clock))
  for (let at = 0; at < 9; at++) ask(`${at}`)
  await clock.advance(990)
  expect(got).toHaveLength(8)

  await clock.advance(10)
  expect(got).toHaveLength(9)
  // Late, and twice: it counts no more.
  end('0')
  end('0')
  for (let at = 9; at < 30; at++) ask(`${at}`)
  await clock.advance(170)
  expect(got.length).toBeLessThanOrEqual(17)
})

test('those of whom an answer is expected go first, whenever they come', async () => {
  const clock = new FakeClock()
  const { got, ask } = asking(new Turns(clock))
  ask('first')
  ask('dead', false)
  ask('dead too', false)
  ask('alive')

  await clock.advance(100)

  expect(got).toEqual(['first', 'alive', 'dead', 'dead too'])
})

test('who stops waiting leaves its turn to the next', async () => {
  const clock = new FakeClock()
  const turns = new Turns(clock)
  const { got, ask } = asking(turns)
  const stop = new AbortController()
  ask('a')
  const waiting = turns.take(true, stop.signal)
  ask('b')

  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await clock.advance(20)

  expect(got).toEqual(['a', 'b'])
  await expect(turns.take(true, stop.signal)).rejects.toThrow('enough')
})
