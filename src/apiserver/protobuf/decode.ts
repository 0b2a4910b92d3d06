import type { Expected } from '#apiserver/builtin/decode.ts'
import { DELETE_OPTIONS, definitionNameOf } from '#apiserver/builtin/schemas.ts'
import { badRequest } from '#apiserver/failure.ts'
import type { Fields } from '#apiserver/objects.ts'
import { messageOf } from './builtin-messages.ts'
import { readEnvelope } from './envelope.ts'
import { Malformed, Wire } from './wire.ts'

/** How Kubernetes calls this format. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf'

/**
 * An object of a built-in kind that came as protobuf, as the JSON that could have been sent in its place: still to be
 * decoded as that. What JSON leaves out when it is empty is left out. Of an object of another kind than is expected
 * only the kind and version are told, for whoever refuses it. Throws the `400` that Kubernetes answers.
 */
export function decodeProtobuf(bytes: Buffer, expected: Expected): Fields {
  const { group, version, kind, schema } = expected
  const definition = definitionNameOf(schema)
  if (definition === undefined) throw new Error('this is not the schema of a built-in type')
  const envelope = orRefuse(
    () => readEnvelope(bytes),
    (why) =>
      `the object provided is unrecognized (must be of type ${kind}): ${why} (${summaryOf(bytes)})`,
  )
  const apiVersion = group === '' ? version : `${group}/${version}`
  const sent = { apiVersion: envelope.apiVersion ?? apiVersion, kind: envelope.kind ?? kind }
  if (sent.apiVersion !== apiVersion || sent.kind !== kind) return sent
  return orRefuse(
    () => messageOf(definition).read(new Wire(envelope.raw), sent),
    (why) => `${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`,
  )
}

/** The same for what is sent with a deletion, which is of one kind in every group and version. */
export function decodeDeleteOptions(bytes: Buffer): Fields {
  const { apiVersion = '', kind = 'DeleteOptions', raw } = orRefuse(() => readEnvelope(bytes))
  if (kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    )
  }
  return orRefuse(() => messageOf(DELETE_OPTIONS).read(new Wire(raw), {}))
}

function orRefuse<T>(read: () => T, sentence = (why: string) => why): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Malformed ? badRequest(sentence(error.message)) : error
  }
}

const MOST_SHOWN = 30

/** The beginning of a body, as Kubernetes shows it. */
function summaryOf(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>'
  const isLikeJson = bytes[0] === '{'.charCodeAt(0)
  const shown = bytes.toString(isLikeJson ? 'utf8' : 'hex', 0, MOST_SHOWN)
  return bytes.length > MOST_SHOWN ? `${shown} ...` : shown
}
