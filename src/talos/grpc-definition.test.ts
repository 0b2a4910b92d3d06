import { create } from '@bufbuild/protobuf'
import { Server } from '@grpc/grpc-js'
import { expect, test } from 'vitest'
import { MachineService, VersionResponseSchema } from './generated/machine/machine_pb.ts'
import { grpcDefinition, grpcMethod, implement } from './grpc-definition.cases.ts'

test('a method has the path that Talos serves it under', () => {
  expect(grpcMethod(MachineService.method.etcdRemoveMemberByID).path).toBe(
    '/machine.MachineService/EtcdRemoveMemberByID',
  )
})

test('a message survives the way to the wire and back', () => {
  const { responseSerialize, responseDeserialize } = grpcMethod(MachineService.method.version)
  const answer = create(VersionResponseSchema, { messages: [{ version: { tag: 'v1.13.0' } }] })

  const back = responseDeserialize(responseSerialize(answer))

  expect(back.messages[0]?.version?.tag).toBe('v1.13.0')
})

test.each([
  ['version', false, false],
  ['etcdRecover', true, false],
  ['etcdSnapshot', false, true],
] as const)('%s streams as its definition says', (name, requestStream, responseStream) => {
  expect(grpcDefinition(MachineService)[name]).toMatchObject({ requestStream, responseStream })
})

test('a server can be told the half of a service, by type', () => {
  const server = new Server()

  implement(server, MachineService, {
    version: (_call, answer) =>
      answer(null, create(VersionResponseSchema, { messages: [{ version: { tag: 'v1.13.0' } }] })),
    etcdSnapshot: (call) => call.end(),
  })

  expect(() => implement(server, MachineService, {})).toThrow(/already provided/)
})
