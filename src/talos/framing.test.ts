import { expect, test } from 'vitest'
import { CallError } from './call-error.ts'
import { framed, MessageReader } from './framing.ts'

const MEBIBYTE = 1024 * 1024

const readAll = (reader: MessageReader, ...pieces: Buffer[]): string[] =>
  pieces.flatMap((piece) => [...reader.read(piece)].map(String))

test('messages are found in whatever pieces they arrive', () => {
  const wire = Buffer.concat(['one', '', 'three'].map((text) => framed(Buffer.from(text))))

  for (let size = 1; size <= wire.length; size++) {
    const pieces = Array.from({ length: Math.ceil(wire.length / size) }, (_, at) =>
      wire.subarray(at * size, (at + 1) * size),
    )
    const reader = new MessageReader()

    expect(readAll(reader, ...pieces)).toEqual(['one', '', 'three'])
    expect(reader.isWithin).toBe(false)
  }
})

test('it is known whether the last message is whole', () => {
  const reader = new MessageReader()

  expect(readAll(reader, framed(Buffer.from('message')).subarray(0, 7))).toEqual([])
  expect(reader.isWithin).toBe(true)
})

test('what says that it is compressed, or longer than anything that is read, is refused at its head', () => {
  const compressed = framed(Buffer.from('x'))
  compressed.writeUInt8(1, 0)
  const endless = framed(Buffer.from('x'))
  endless.writeUInt32BE(32 * MEBIBYTE + 1, 1)

  for (const wire of [compressed, endless]) {
    expect(() => readAll(new MessageReader(), wire.subarray(0, 5))).toThrow(CallError)
  }
})

test('what is larger than anybody takes is not sent', () => {
  expect(framed(Buffer.alloc(32 * MEBIBYTE))).toHaveLength(32 * MEBIBYTE + 5)
  expect(() => framed(Buffer.alloc(32 * MEBIBYTE + 1))).toThrow(CallError)
})
