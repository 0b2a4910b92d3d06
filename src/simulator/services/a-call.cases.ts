// Calls for tests of services: without a wire, as their methods see them.

import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type { Clock } from '#base/clock.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import type { TypedMethod } from '#talos/typed-method.ts'
import { METHODS } from './methods.ts'

export interface Calling {
  readonly machine: Machine
  readonly clock: Clock
  readonly roles?: readonly string[]
  readonly peers?: readonly Machine[]
  readonly signal?: AbortSignal
}

/** All that a machine answers, until it ends or the signal aborts. */
export async function* answersOf<I extends DescMessage, O extends DescMessage>(
  method: TypedMethod<I, O>,
  request: MessageInitShape<I> | readonly MessageInitShape<I>[],
  {
    machine,
    clock,
    roles = ['os:admin'],
    peers = [],
    signal = new AbortController().signal,
  }: Calling,
): AsyncGenerator<MessageShape<O>> {
  const served = METHODS.get(`/${method.parent.typeName}/${method.name}`)
  if (!served) throw new Error(`${method.name} is not served`)
  const all = Array.isArray(request) ? request : [request]
  async function* requests() {
    for (const one of all) yield toBinary(method.input, create(method.input, one))
  }
  const call = {
    machine,
    clock,
    wallClock: clock,
    signal,
    roles: new Set(roles),
    peers: () => peers,
  }
  for await (const bytes of served.answer(requests(), call)) yield fromBinary(method.output, bytes)
}

/** The only answer. */
export async function answerOf<I extends DescMessage, O extends DescMessage>(
  method: TypedMethod<I, O>,
  request: MessageInitShape<I> | readonly MessageInitShape<I>[],
  calling: Calling,
): Promise<MessageShape<O>> {
  for await (const answer of answersOf(method, request, calling)) return answer
  throw new Error(`${method.name} said nothing`)
}

/** All answers of a stream that ends. */
export async function allOf<T>(answers: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const answer of answers) found.push(answer)
  return found
}
