import { create, type DescMethod } from '@bufbuild/protobuf'
import {
  Server,
  ServerCredentials,
  type ServerWritableStream,
  type StatusObject,
  type sendUnaryData,
} from '@grpc/grpc-js'
import { type Credentials, createAuthority, createKey, issueCertificate } from '#base/x509.ts'
import { TalosClient } from './client.ts'
import { grpcMethod } from './grpc-definition.cases.ts'
import type { ClusterAccess, MachineTarget } from './machine-target.ts'

const validity = {
  notBefore: new Date(Date.now() - 3_600_000),
  notAfter: new Date(Date.now() + 3_600_000),
}

/** What the machines of a cluster and their administrator have. */
export interface ACluster {
  authority: Credentials
  access: ClusterAccess
}

/** An authority and a client certificate of a cluster that has no machines yet. */
export function aCluster(): ACluster {
  const authority = createAuthority({ organizations: ['talos'] }, createKey(), validity)
  const client = issueCertificate(authority, {
    organizations: ['os:admin'],
    usage: 'client',
    validity,
  })
  return {
    authority,
    access: {
      kind: 'cluster',
      authority: authority.certificate,
      certificate: client.certificate,
      key: client.key,
    },
  }
}

/** A certificate for a server at this address. */
export const serverCertificate = (
  { authority }: ACluster,
  { hosts = ['127.0.0.1'], from = validity.notBefore } = {},
): Credentials =>
  issueCertificate(authority, {
    usage: 'server',
    hosts,
    validity: { notBefore: from, notAfter: validity.notAfter },
  })

interface Setting {
  /** What it serves; anything else is Unimplemented. */
  serve?: (server: Server) => void
  /** Left out: in maintenance mode. */
  of?: ACluster
  certificate?: Credentials
  /** On loopback. Left out: 127.0.0.1. */
  address?: string
  port?: number
}

/** Messages to answer with, or a status to fail with. */
type Answers = { messages: readonly Record<string, unknown>[] } | { error: Partial<StatusObject> }

/** A service of one method, which answers like this. What it is asked is put into the list. */
export const serveOne =
  (method: DescMethod, answers: Answers, asked: unknown[] = []) =>
  (server: Server): void => {
    const { localName, output } = method
    const error = 'error' in answers ? answers.error : null
    const messages =
      'messages' in answers ? answers.messages.map((init) => create(output, init)) : []
    const whole = (call: { request: unknown }, done: sendUnaryData<unknown>) => {
      asked.push(call.request)
      done(error, messages[0])
    }
    const stream = (call: ServerWritableStream<unknown, unknown>) => {
      asked.push(call.request)
      for (const message of messages) call.write(message)
      if (error) call.emit('error', error)
      else call.end()
    }
    const upload = (call: AsyncIterable<unknown>, done: sendUnaryData<unknown>) => {
      void (async () => {
        for await (const message of call) asked.push(message)
        done(error, messages[0])
      })().catch(() => {})
    }
    const calls = { unary: whole, server_streaming: stream, client_streaming: upload }
    const kind = method.methodKind === 'bidi_streaming' ? 'unary' : method.methodKind
    server.addService({ [localName]: grpcMethod(method) }, { [localName]: calls[kind] })
  }

/** A server that answers as the test says, on a port of its own. */
export class AMachine implements AsyncDisposable {
  readonly #server: Server
  readonly address: string
  readonly port: number

  constructor(server: Server, address: string, port: number) {
    this.#server = server
    this.address = address
    this.port = port
  }

  static async start({ serve, of, port = 0, ...setting }: Setting): Promise<AMachine> {
    const { address = '127.0.0.1' } = setting
    const certificate =
      setting.certificate ?? serverCertificate(of ?? aCluster(), { hosts: [address] })
    const server = new Server({
      'grpc.max_send_message_length': -1,
      'grpc.max_receive_message_length': -1,
    })
    serve?.(server)
    const credentials = ServerCredentials.createSsl(
      of ? Buffer.from(of.authority.certificate) : null,
      [
        {
          private_key: Buffer.from(certificate.key.open()),
          cert_chain: Buffer.from(certificate.certificate),
        },
      ],
      of !== undefined,
    )
    const bound = await new Promise<number>((resolve, reject) =>
      server.bindAsync(`${address}:${port}`, credentials, (error, at) =>
        error ? reject(error) : resolve(at),
      ),
    )
    return new AMachine(server, address, bound)
  }

  /** Where it is, with the credentials given. */
  target(access: MachineTarget['access']): MachineTarget {
    return { address: this.address, port: this.port, access }
  }

  /** Ends all connections at once, as when the power goes. */
  kill(): void {
    this.#server.forceShutdown()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill()
  }
}

/** A client that is closed with the test. */
export class AClient extends TalosClient implements Disposable {
  [Symbol.dispose](): void {
    this.close()
  }
}
