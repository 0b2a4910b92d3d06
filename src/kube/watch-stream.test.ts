import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readWatch } from './watch-stream.ts'

const event = (type: string, name: string, resourceVersion = '1') =>
  JSON.stringify({ type, object: { metadata: { name, resourceVersion } } })

/** Reads a watch that arrives in these pieces. */
async function read(...pieces: (Buffer | string)[]): Promise<string[]> {
  const body = Readable.from(pieces.map((piece) => Buffer.from(piece)))
  const seen: string[] = []
  for await (const events of readWatch({ status: 200, headers: {}, body })) {
    seen.push(...events.map(({ type, object }) => `${type} ${object.metadata.name}`))
  }
  return seen
}

test('each line is an event', async () => {
  const text = `${event('ADDED', 'a')}\n${event('MODIFIED', 'b')}\n${event('DELETED', 'c')}\n`

  expect(await read(text)).toEqual(['ADDED a', 'MODIFIED b', 'DELETED c'])
})

test('however a watch is cut into pieces, the events are the same', async () => {
  const names = ['a', 'bär', '日本', '🐹']
  const whole = Buffer.from(names.map((name) => `${event('ADDED', name)}\n`).join(''))

  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 8 }), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), whole.length]
      const pieces = edges.slice(1).map((end, index) => whole.subarray(edges[index], end))

      expect(await read(...pieces)).toEqual(names.map((name) => `ADDED ${name}`))
    }),
  )
})

test('half an event at the end is dropped', async () => {
  expect(await read(`${event('ADDED', 'a')}\n{"type":"ADDED","obj`)).toEqual(['ADDED a'])
})

test('an ERROR event is an error with the server’s own reason', async () => {
  const object = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }

  await expect(read(`${JSON.stringify({ type: 'ERROR', object })}\n`)).rejects.toMatchObject({
    status: 410,
    reason: 'Expired',
    message: 'the API server ended the watch: too old',
  })
})

test.each([
  'hello\n',
  'null\n',
  '{}\n',
  '{"type":"ADDED"}\n',
  '{"type":"ADDED","object":{"metadata":{}}}\n',
  '{"type":"SNEEZED","object":{"metadata":{"resourceVersion":"1"}}}\n',
])('%j is no event', async (text) => {
  await expect(read(text)).rejects.toMatchObject({ reason: 'Garbled' })
})
