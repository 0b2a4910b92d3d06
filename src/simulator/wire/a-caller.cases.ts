// Clients for tests of the wire: they speak gRPC as any client does, with nothing of src/talos but the messages.

import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf'
import { ChannelCredentials, Client, Metadata, type ServiceError } from '@grpc/grpc-js'
import type { Secret } from '#base/secret.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { adminCertificate } from '#machineconfig/secrets/certificates.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { plainPem, privateKeyOf } from '#machineconfig/secrets/private-key.ts'
import { grpcMethod } from '#talos/grpc-definition.cases.ts'
import type { TypedMethod } from '#talos/typed-method.ts'

const anHourAgo = () => new Date(Date.now() - 3_600_000)

export interface ACluster {
  readonly secrets: SecretsBundle
  config(role: 'controlplane' | 'worker'): MachineConfig
  /** A client with a certificate of the cluster that gives it these roles. */
  access(roles: readonly string[]): Promise<ChannelCredentials>
}

export async function aCluster(): Promise<ACluster> {
  const secrets = await generateBundle({ talosVersion: 'v1.13.0', now: anHourAgo() })
  return {
    secrets,
    config: (role) =>
      generateConfig(role, {
        ...{ clusterName: 'one', endpoint: 'https://127.0.0.1:6443', secrets },
        ...{ talosVersion: 'v1.13.0', kubernetesVersion: '1.36.0' },
      }),
    access: async (roles) => {
      const client = await adminCertificate({ ca: secrets.talos, roles, now: anHourAgo() })
      return credentials(secrets.talos.certificate, client)
    },
  }
}

export const credentials = (
  authority: string,
  { certificate, key }: { certificate: string; key: Secret<string> },
): ChannelCredentials =>
  ChannelCredentials.createSsl(
    Buffer.from(authority),
    Buffer.from(plainPem(privateKeyOf(key)).open()),
    Buffer.from(certificate),
  )

/** As `talosctl --insecure`: whoever answers is believed. */
export const anonymous = (): ChannelCredentials =>
  ChannelCredentials.createSsl(Buffer.from(''), null, null, { rejectUnauthorized: false })

export interface ACaller extends Disposable {
  unary<I extends DescMessage, O extends DescMessage>(
    method: TypedMethod<I, O>,
    request?: MessageInitShape<I>,
    metadata?: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<MessageShape<O>>
  /** All that the stream says until `enough` of it has come, or it ends. */
  stream<I extends DescMessage, O extends DescMessage>(
    method: TypedMethod<I, O>,
    request?: MessageInitShape<I>,
    options?: {
      onAnswer?: () => void
      enough?: number
      metadata?: Readonly<Record<string, string | readonly string[]>>
    },
  ): Promise<MessageShape<O>[]>
  raw(path: string, bytes: Buffer): Promise<Buffer>
}

export function aCaller(
  port: number | undefined,
  access: ChannelCredentials,
  { host = '127.0.0.1', withinMs = 10_000 }: { host?: string; withinMs?: number } = {},
): ACaller {
  const client = new Client(`${host}:${port}`, access, {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_send_message_length': -1,
  })
  const deadline = () => ({ deadline: Date.now() + withinMs })
  return {
    unary: (method, request, metadata) => {
      const { path, requestSerialize, responseDeserialize } = grpcMethod(method)
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          create(method.input, request),
          metadataOf(metadata),
          deadline(),
          (error, answer) => (answer ? resolve(answer) : reject(error)),
        )
      })
    },
    stream: (method, request, { enough = Infinity, metadata, onAnswer } = {}) => {
      const { path, requestSerialize, responseDeserialize } = grpcMethod(method)
      const call = client.makeServerStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        create(method.input, request),
        metadataOf(metadata),
        deadline(),
      )
      return new Promise((resolve, reject) => {
        const seen: MessageShape<typeof method.output>[] = []
        call.on('data', (answer) => {
          seen.push(answer)
          onAnswer?.()
          if (seen.length >= enough) call.cancel()
        })
        call.on('error', (error) => (seen.length >= enough ? resolve(seen) : reject(error)))
        call.on('end', () => resolve(seen))
      })
    },
    raw: (path, bytes) =>
      new Promise((resolve, reject) => {
        const same = (content: Buffer) => content
        client.makeUnaryRequest(
          path,
          same,
          same,
          bytes,
          new Metadata(),
          deadline(),
          (error, answer) => (answer ? resolve(answer) : reject(error)),
        )
      }),
    [Symbol.dispose]: () => client.close(),
  }
}

function metadataOf(entries: Readonly<Record<string, string | readonly string[]>> = {}): Metadata {
  const metadata = new Metadata()
  for (const [key, values] of Object.entries(entries)) {
    for (const value of [values].flat()) metadata.add(key, value)
  }
  return metadata
}

/** How a call failed. */
export const failureOf = (call: Promise<unknown>): Promise<{ code: number; details: string }> =>
  call.then(
    () => ({ code: 0, details: '' }),
    ({ code, details }: ServiceError) => ({ code, details }),
  )
