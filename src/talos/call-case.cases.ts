import type { DescMethod } from '@bufbuild/protobuf'
import type { TalosMachine } from './machine.ts'

/** A call, what it must ask, and what it must make of the answer. */
export interface Case {
  name: string
  method: DescMethod
  call: (machine: TalosMachine) => Promise<unknown>
  /** What the machine is asked. */
  asked: unknown[]
  /** What it answers with. */
  answers: Record<string, unknown>[]
  result: unknown
}

/** An answer of one machine. */
export const one = (content: object = {}): Record<string, unknown>[] => [{ messages: [content] }]
/** All that comes. */
export const collected = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}
/** Bytes in pieces. */
export async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
/** A message of bytes. */
export const bytes = (text: string) => ({ bytes: Buffer.from(text) })
/** Bytes in pieces as a text. */
export const textsOf = async (stream: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await collected(stream)).toString()
