import { expect, test } from 'vitest'
import { lastVersionIn, WatchReader } from './watch-reader.ts'

const eventAt = (version: number): string =>
  `{"type":"MODIFIED","object":{"metadata":{"resourceVersion":"${version}"},"data":{"text":"a\\nb"}}}\n`
const EVENT = eventAt(1)
const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nkeep-alive: timeout=90\r\n\r\n'
const END = '0\r\n\r\n'

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

function read(pieces: string[]) {
  const reader = new WatchReader()
  let events = 0
  for (const piece of pieces) events += reader.push(Buffer.from(piece))
  return { events, isOver: reader.isOver, tail: reader.tail }
}

test('events count, and neither the head nor the frames of chunks do', () => {
  expect(read([HEAD]).events).toBe(0)
  expect(read([HEAD + chunk(EVENT) + chunk(EVENT + EVENT)]).events).toBe(3)
})

test('an event may be spread over chunks', () => {
  expect(read([HEAD + chunk(EVENT.slice(0, 10)) + chunk(EVENT.slice(10))]).events).toBe(1)
})

test('it does not matter where the bytes are cut', () => {
  const text = HEAD + chunk(EVENT) + chunk(EVENT + EVENT)

  expect(read([...text]).events).toBe(3)
  expect(read([text.slice(0, HEAD.length + 3), '', text.slice(HEAD.length + 3)]).events).toBe(3)
})

test('the end of a watch is seen, and nothing else is taken for it', () => {
  expect(read([HEAD + chunk(EVENT) + END]).isOver).toBe(true)
  expect(read([HEAD + chunk(EVENT), END]).isOver).toBe(true)
  expect(read([HEAD]).isOver).toBe(false)
  expect(read([HEAD + chunk(EVENT)]).isOver).toBe(false)
})

test('where to go on after the end is in what came last', () => {
  const text = chunk(eventAt(41)) + chunk(eventAt(42))

  expect(lastVersionIn(read([HEAD, text, END]).tail)).toBe('42')
  expect(lastVersionIn(read([HEAD, text.slice(0, -20), text.slice(-20), END]).tail)).toBe('42')
  expect(lastVersionIn(HEAD)).toBeUndefined()
})
