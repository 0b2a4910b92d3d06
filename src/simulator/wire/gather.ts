import type { Passing } from './local-answer.ts'
import { failureReply, withOrigin } from './merge-replies.ts'

type Ask = (target: string, call: Passing) => AsyncIterable<Uint8Array>

/**
 * Asks several machines the same, and yields what they answer as one, each under its name. One that
 * fails is an answer too. Streams come as they come; all else in the order of the targets.
 */
export async function* gather(
  call: Passing,
  { targets, isStreamed }: { targets: readonly string[]; isStreamed: boolean },
  ask: Ask,
): AsyncIterable<Uint8Array> {
  const requests: Uint8Array[] = []
  for await (const request of call.requests) requests.push(request)
  const streams = targets.map((target) =>
    labelled(target, isStreamed, ask(target, { ...call, requests: all(requests) })),
  )
  if (isStreamed) return yield* merged(streams)
  const replies = await Promise.all(streams.map(collected))
  yield Buffer.concat(replies.flat())
}

async function* all<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items
}

async function* labelled(
  target: string,
  isStreamed: boolean,
  answers: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const answer of answers) yield withOrigin(answer, target, isStreamed)
  } catch (error) {
    yield failureReply(error, target, isStreamed)
  }
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Whatever comes first. */
async function* merged<T>(streams: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = async (stream: AsyncGenerator<T>) => ({ stream, result: await stream.next() })
  const waiting = new Map(streams.map((stream) => [stream, next(stream)]))
  try {
    while (waiting.size > 0) {
      const { stream, result } = await Promise.race(waiting.values())
      if (result.done) {
        waiting.delete(stream)
        continue
      }
      yield result.value
      waiting.set(stream, next(stream))
    }
  } finally {
    await Promise.allSettled([...waiting.keys()].map((stream) => stream.return(undefined)))
  }
}
