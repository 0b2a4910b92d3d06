import {
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { Refusal } from '#simulator/refusal.ts'
import type { Call } from './call.ts'

/** A method of a machine's API as the wire needs it: messages as bytes, so that calls can be passed on unread. */
export interface ServedMethod {
  /** `/machine.MachineService/Version` */
  readonly path: string
  /** Whether there is exactly one request, and exactly one reply. */
  readonly isUnary: boolean
  /** Whether there may be several replies; then they are not wrapped in `messages`. */
  readonly isStreamed: boolean
  /** Fails with a `Refusal`. Stops when the call is aborted. */
  answer(requests: AsyncIterable<Uint8Array>, call: Call): AsyncIterable<Uint8Array>
}

/** What a machine does for each method of a generated service. Those left out are not there. */
export type Answers<S extends AnyGenerated> = {
  readonly [K in keyof S['method']]?: S['method'][K] extends Shape<infer I, infer O, infer Kind>
    ? Ways<MessageShape<I>, MessageInitShape<O>>[Kind]
    : never
}

/** Makes served methods of what a machine does for a generated service. */
export const served = <S extends AnyGenerated>(
  service: S,
  answers: Answers<S>,
): readonly ServedMethod[] =>
  Object.entries(answers).flatMap(([name, answer]) => {
    const method = service.methods.find(({ localName }) => localName === name)
    if (!method) return []
    const { methodKind } = method
    return {
      path: `/${method.parent.typeName}/${method.name}`,
      isUnary: methodKind === 'unary',
      isStreamed: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
      answer: ADAPTERS[methodKind](method, answer),
    }
  })

type AnyGenerated = Omit<DescService, 'method'> & { method: Record<string, DescMethod> }

interface Shape<I extends DescMessage, O extends DescMessage, Kind extends keyof Ways<I, O>> {
  input: I
  output: O
  methodKind: Kind
}

interface Ways<I, O> {
  unary: (request: I, call: Call) => O | Promise<O>
  server_streaming: (request: I, call: Call) => Iterable<O> | AsyncIterable<O>
  client_streaming: (requests: AsyncIterable<I>, call: Call) => O | Promise<O>
  bidi_streaming: (requests: AsyncIterable<I>, call: Call) => Iterable<O> | AsyncIterable<O>
}

type AnyWays = Ways<MessageShape<DescMessage>, MessageInitShape<DescMessage>>
type Answer = ServedMethod['answer']

const ADAPTERS = {
  unary: (method: DescMethod, way: AnyWays['unary']): Answer =>
    async function* (requests, call) {
      yield encoded(method, await way(await only(decoded(method, requests)), call))
    },
  server_streaming: (method: DescMethod, way: AnyWays['server_streaming']): Answer =>
    async function* (requests, call) {
      const replies = way(await only(decoded(method, requests)), call)
      for await (const reply of replies) yield encoded(method, reply)
    },
  client_streaming: (method: DescMethod, way: AnyWays['client_streaming']): Answer =>
    async function* (requests, call) {
      yield encoded(method, await way(decoded(method, requests), call))
    },
  bidi_streaming: (method: DescMethod, way: AnyWays['bidi_streaming']): Answer =>
    async function* (requests, call) {
      for await (const reply of way(decoded(method, requests), call)) yield encoded(method, reply)
    },
} as const

const encoded = ({ output }: DescMethod, reply: MessageInitShape<DescMessage>): Uint8Array =>
  toBinary(output, create(output, reply))

async function* decoded(
  { input }: DescMethod,
  requests: AsyncIterable<Uint8Array>,
): AsyncIterable<MessageShape<DescMessage>> {
  for await (const bytes of requests) yield decode(input, bytes)
}

function decode(input: DescMessage, bytes: Uint8Array): MessageShape<DescMessage> {
  try {
    return fromBinary(input, bytes)
  } catch {
    throw new Refusal(
      'Internal',
      'grpc: error unmarshalling request: proto: cannot parse invalid wire-format data',
    )
  }
}

async function only<M>(messages: AsyncIterable<M>): Promise<M> {
  for await (const message of messages) return message
  throw new Refusal('Internal', 'grpc: no request was sent')
}
