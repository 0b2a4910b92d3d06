import {
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type {
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  MethodDefinition,
  Server,
  ServiceDefinition,
} from '@grpc/grpc-js'
import { pathOf, type TypedMethod } from './typed-method.ts'

/** The messages of a method, and its path on the wire, in the form that grpc-js wants. */
export function grpcMethod<I extends DescMessage, O extends DescMessage>(
  method: TypedMethod<I, O>,
): MethodDefinition<MessageShape<I>, MessageShape<O>> {
  return {
    path: pathOf(method),
    originalName: method.localName,
    requestStream: method.methodKind === 'client_streaming' || isBidirectional(method),
    responseStream: method.methodKind === 'server_streaming' || isBidirectional(method),
    requestSerialize: (message) => bufferOf(toBinary(method.input, message)),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    responseSerialize: (message) => bufferOf(toBinary(method.output, message)),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  }
}

/** A generated service in the form that a grpc-js server wants, keyed by the local names of its methods. */
export const grpcDefinition = (service: AnyGenerated): ServiceDefinition =>
  Object.fromEntries(
    service.methods.map((method) => [
      method.localName,
      grpcMethod<DescMessage, DescMessage>(method),
    ]),
  )

/** What a server does for each method of a generated service. Those left out answer Unimplemented. */
export type Implementation<S extends AnyGenerated> = {
  [K in keyof S['method']]?: S['method'][K] extends Shape<infer I, infer O, infer Kind>
    ? Calls<MessageShape<I>, MessageShape<O>>[Kind]
    : never
}

/** Lets a server answer the calls of a generated service. */
export function implement<S extends AnyGenerated>(
  server: Server,
  service: S,
  implementation: Implementation<S>,
): void {
  server.addService(grpcDefinition(service), Object.fromEntries(Object.entries(implementation)))
}

type AnyGenerated = Omit<DescService, 'method'> & { method: Record<string, DescMethod> }

interface Shape<I extends DescMessage, O extends DescMessage, Kind extends keyof Calls<I, O>> {
  input: I
  output: O
  methodKind: Kind
}

interface Calls<I, O> {
  unary: handleUnaryCall<I, O>
  client_streaming: handleClientStreamingCall<I, O>
  server_streaming: handleServerStreamingCall<I, O>
  bidi_streaming: handleBidiStreamingCall<I, O>
}

const isBidirectional = ({ methodKind }: DescMethod): boolean => methodKind === 'bidi_streaming'

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
