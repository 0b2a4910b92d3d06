import fc from 'fast-check'
import { expect, test } from 'vitest'
import { builtinResources } from '#apiserver/builtin/resources.ts'
import { ApiFailure } from '#apiserver/failure.ts'
import { decodeDeleteOptions, decodeProtobuf } from './decode.ts'
import { richObjects } from './rich-objects.cases.ts'
import { delimited, enveloped, numeric } from './wire-bytes.cases.ts'

const resources = builtinResources()
const definitions = resourceOf('CustomResourceDefinition')

function resourceOf(kind: string) {
  const resource = resources.find((one) => one.kind === kind)
  if (!resource) throw new Error(`there is no ${kind}`)
  return resource
}

/** Whether it is read, or refused as it should be. */
function isSettled(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    return error instanceof ApiFailure && error.code === 400
  }
}

const rawBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))

/** Messages in messages, with numbers of fields that are likely to be known. */
const message: fc.Arbitrary<Buffer> = fc.letrec<{ message: Buffer }>((tie) => ({
  message: fc
    .array(
      fc.oneof(
        { maxDepth: 6 },
        fc
          .tuple(fc.integer({ min: 1, max: 40 }), fc.bigInt())
          .map(([at, value]) => numeric(at, value)),
        fc
          .tuple(fc.integer({ min: 1, max: 40 }), rawBytes)
          .map(([at, bytes]) => delimited(at, bytes)),
        fc
          .tuple(fc.integer({ min: 1, max: 40 }), tie('message'))
          .map(([at, bytes]) => delimited(at, bytes)),
      ),
      { maxLength: 5 },
    )
    .map((parts) => Buffer.concat(parts)),
})).message

test('bytes by chance are read or refused, never anything else', () => {
  fc.assert(
    fc.property(fc.constantFrom(...resources), fc.oneof(message, rawBytes), (resource, raw) => {
      const { group, version, kind } = resource
      const bytes = enveloped(group ? `${group}/${version}` : version, kind, raw)
      return (
        isSettled(() => decodeProtobuf(bytes, resource)) &&
        isSettled(() => decodeProtobuf(raw, resource)) &&
        isSettled(() => decodeDeleteOptions(raw)) &&
        isSettled(() => decodeDeleteOptions(enveloped('v1', 'DeleteOptions', raw)))
      )
    }),
    { numRuns: 1000 },
  )
})

test('an object with a byte changed, or without its end, is read or refused', () => {
  const place = fc.nat({ max: 9999 })
  fc.assert(
    fc.property(
      fc.constantFrom(...richObjects),
      place,
      fc.nat({ max: 255 }),
      (object, at, byte) => {
        const bytes = Buffer.from(object.bytes, 'base64')
        const whole = Buffer.from(bytes)
        bytes[at % bytes.length] = byte
        const resource = resourceOf(object.kind)
        return (
          isSettled(() => resource.decode(decodeProtobuf(bytes, resource))) &&
          isSettled(() => decodeProtobuf(whole.subarray(0, at % whole.length), resource))
        )
      },
    ),
    { numRuns: 1000 },
  )
})

/** A schema that is `not` another, and so on. */
function schemasWithin(depth: number): Buffer {
  let schema: Buffer = Buffer.alloc(0)
  for (let level = 0; level < depth; level++) schema = delimited(28, schema)
  const version = delimited(7, delimited(4, delimited(1, schema)))
  return enveloped('apiextensions.k8s.io/v1', 'CustomResourceDefinition', delimited(2, version))
}

test('messages may be nested deeply, but not without end', () => {
  expect(() => definitions.decode(decodeProtobuf(schemasWithin(900), definitions))).not.toThrow()
  expect(() => decodeProtobuf(schemasWithin(2_000), definitions)).toThrow(
    'cannot be handled as a CustomResourceDefinition: proto: exceeded max depth',
  )
})

test('there may be many messages beside one another', () => {
  const entries = Array.from({ length: 3000 }, (_, at) => delimited(2, delimited(1, `k${at}`)))
  const { data } = decodeProtobuf(enveloped('v1', 'ConfigMap', ...entries), resourceOf('ConfigMap'))

  expect(Object.keys(Object(data))).toHaveLength(3000)
})

test('groups within groups need no stack', () => {
  const open = Buffer.alloc(1_000_000, 0x0b)
  const bytes = enveloped(
    'v1',
    'ConfigMap',
    delimited(1, delimited(1, 'x')),
    Buffer.from([0x33]),
    open,
  )

  expect(isSettled(() => decodeProtobuf(bytes, resourceOf('ConfigMap')))).toBe(true)
})

test('a length beyond the end takes no memory', () => {
  const bytes = Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x12, 255, 255, 255, 255, 7])])

  expect(() => decodeProtobuf(bytes, definitions)).toThrow('unexpected EOF')
})

test('numbers that JSON does not have, and JSON that is none, are refused', () => {
  const infinite = Buffer.alloc(8)
  infinite.writeDoubleLE(Number.POSITIVE_INFINITY)
  const schemaWith = (field: Buffer) =>
    enveloped(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      delimited(2, delimited(7, delimited(4, delimited(1, field)))),
    )

  const maximum = schemaWith(Buffer.concat([Buffer.from([9 * 8 + 1]), infinite]))
  expect(() => decodeProtobuf(maximum, definitions)).toThrow('json: unsupported value: Infinity')
  const standard = schemaWith(delimited(8, delimited(1, '{"a":')))
  expect(() => decodeProtobuf(standard, definitions)).toThrow(
    'cannot be handled as a CustomResourceDefinition: json: ',
  )
})
