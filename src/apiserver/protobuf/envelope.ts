import { fieldsAt, textAt } from '#apiserver/objects.ts'
import { single } from './field-readers.ts'
import { Message } from './message.ts'
import { nested, slice, text } from './values.ts'
import { Malformed, Wire } from './wire.ts'

/** What Kubernetes puts around a message: of what kind it is. */
export interface Envelope {
  /** Left out if it is empty, or none. */
  apiVersion?: string
  kind?: string
  /** The message itself. */
  raw: Buffer
}

const PREFIX = Buffer.from('k8s\0')

/** Throws `Malformed`. */
export function readEnvelope(bytes: Buffer): Envelope {
  if (bytes.length === 0) throw new Malformed('empty data')
  if (!bytes.subarray(0, PREFIX.length).equals(PREFIX)) {
    throw new Malformed(
      `provided data does not appear to be a protobuf message, expected prefix [${[...PREFIX].join(' ')}]`,
    )
  }
  if (bytes.length === PREFIX.length) throw new Malformed('empty body')

  const fields = unknown.read(new Wire(bytes.subarray(PREFIX.length)), {})
  const { raw } = fields
  const typeMeta = fieldsAt(fields, 'typeMeta')
  const apiVersion = textAt(typeMeta, 'apiVersion')
  const kind = textAt(typeMeta, 'kind')
  return {
    // Kubernetes takes one that it cannot read for none.
    ...(apiVersion !== undefined && !/\/.*\//s.test(apiVersion) && { apiVersion }),
    ...(kind !== undefined && { kind }),
    raw: Buffer.isBuffer(raw) ? raw : Buffer.alloc(0),
  }
}

const typeMeta = new Message(
  'TypeMeta',
  () =>
    new Map([
      [1, single('apiVersion', text, false)],
      [2, single('kind', text, false)],
    ]),
)

/** `runtime.Unknown`. It also has an encoding and a type for its content, which Kubernetes does not look at. */
const unknown = new Message(
  'Unknown',
  () =>
    new Map([
      [1, single('typeMeta', nested(typeMeta), true)],
      [2, single('raw', slice, true)],
      [3, single('contentEncoding', text, false)],
      [4, single('contentType', text, false)],
    ]),
)
