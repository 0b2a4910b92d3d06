import { isFields } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { type Decoder, inSteps } from './decoder.ts'
import { canonicalMicroTime, canonicalTime } from './go-time.ts'
import { canonicalQuantity } from './quantity.ts'
import { type Reading, Unreadable } from './reading.ts'
import { orUnreadable, scalarDecoder } from './scalar-decoders.ts'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const CRD = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'
const PROPS = `${CRD}.JSONSchemaProps`

/** Types that read and write their JSON in a way of their own, by definition. */
export const specialDecoders: Readonly<
  Record<string, (decoderOf: (definition: string) => Decoder) => Decoder>
> = {
  [`${META}.Time`]: () => timeDecoder(canonicalTime),
  [`${META}.MicroTime`]: () => timeDecoder(canonicalMicroTime),
  [`${META}.FieldsV1`]: () => anything,
  [`${META}.Patch`]: () => anything,
  'io.k8s.apimachinery.pkg.runtime.RawExtension': () => anything,
  'io.k8s.apimachinery.pkg.api.resource.Quantity': () => quantity,
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': () => intOrString,
  [`${CRD}.JSON`]: () => anything,
  [`${CRD}.JSONSchemaPropsOrBool`]: (decoderOf) => schemaOr('boolean', decoderOf),
  [`${CRD}.JSONSchemaPropsOrArray`]: (decoderOf) => schemaOr('schemas', decoderOf),
  [`${CRD}.JSONSchemaPropsOrStringArray`]: (decoderOf) => schemaOr('names', decoderOf),
}

const isNeverEmpty = () => false

const timeDecoder = (canonical: (text: string) => string): Decoder => ({
  read(value, reading) {
    if (typeof value !== 'string') throw reading.mismatch(value, 'string')
    return orUnreadable(() => canonical(value))
  },
  zero: () => null,
  isEmpty: isNeverEmpty,
})

const quantity: Decoder = {
  read: (value) =>
    orUnreadable(() =>
      canonicalQuantity(typeof value === 'string' ? value : JSON.stringify(value)),
    ),
  zero: () => '0',
  isEmpty: isNeverEmpty,
}

const int32 = scalarDecoder({ t: 'integer', f: 'int32' }, 'int32')

const intOrString: Decoder = {
  read: (value, reading) => (typeof value === 'string' ? value : int32.read(value, reading)),
  zero: () => 0,
  isEmpty: isNeverEmpty,
}

const anything: Decoder = { read: (value) => value, zero: () => null, isEmpty: isNeverEmpty }

/** A schema, or something simpler in its place. What it does not know it drops without a word. */
const schemaOr = (
  other: 'boolean' | 'schemas' | 'names',
  decoderOf: (definition: string) => Decoder,
): Decoder => {
  function* readSchema(value: unknown, reading: Reading): Steps<unknown> {
    const { read, readInSteps } = decoderOf(PROPS)
    return readInSteps ? yield* readInSteps(value, reading) : read(value, reading)
  }
  function* readSchemas(list: readonly unknown[], reading: Reading): Steps<unknown[]> {
    const schemas: unknown[] = []
    for (const one of list) {
      schemas.push(yield* reading.silently(readSchema(one, reading)))
      if (isDue()) yield
    }
    return schemas
  }
  function* readInSteps(value: unknown, reading: Reading): Steps<unknown> {
    if (isFields(value)) return yield* reading.silently(readSchema(value, reading))
    if (other === 'boolean') {
      if (typeof value === 'boolean') return value
      throw new Unreadable('boolean or JSON schema expected')
    }
    if (!Array.isArray(value)) return null
    if (other === 'names') return value
    return yield* readSchemas(value, reading)
  }
  return inSteps(readInSteps, { zero: () => null, isEmpty: isNeverEmpty })
}
