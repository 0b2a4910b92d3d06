// Machines that answer for their version and nothing else, on as many addresses as there are, so that it
// is the client that is measured.

import { create } from '@bufbuild/protobuf'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { MachineService, VersionResponseSchema } from '#talos/generated/machine/machine_pb.ts'
import { implement } from '#talos/grpc-definition.cases.ts'
import { answerQuestions } from './answering.ts'

interface Settings {
  authority: string
  certificate: string
  key: string
}

const answers = {
  /** Listens on every address of this computer, with mutual TLS. Resolves to the port. */
  async listen({ authority, certificate, key }: Settings): Promise<number> {
    const server = new Server({ 'grpc.enable_channelz': 0 })
    const version = { tag: 'v1.13.0', sha: '0123456', arch: 'amd64' }
    const platform = { name: 'metal', mode: 'metal' }
    const answer = create(VersionResponseSchema, { messages: [{ version, platform }] })
    implement(server, MachineService, { version: (_call, done) => done(null, answer) })
    const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) }
    const credentials = ServerCredentials.createSsl(Buffer.from(authority), [pair], true)
    return new Promise((resolve, reject) => {
      server.bindAsync('0.0.0.0:0', credentials, (error, port) =>
        error ? reject(error) : resolve(port),
      )
    })
  },
}

export type TalosMachines = typeof answers

answerQuestions(answers)
