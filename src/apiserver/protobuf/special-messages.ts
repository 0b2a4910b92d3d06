import type { Fields } from '#apiserver/objects.ts'
import { repeated, single } from './field-readers.ts'
import { type FieldReader, Message } from './message.ts'
import { microTimeOf, timeOf } from './times.ts'
import { converted, flag, int32, int64, nested, text, type Value } from './values.ts'
import { Malformed } from './wire.ts'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const CRD = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'

/** Whether a built-in type is another thing in JSON than in its message. */
export const isSpecial = (definition: string): boolean => Object.hasOwn(specials, definition)

/** How to read a type that is special, if it is. `messageOf` tells the message of one that is not. */
export const specialValue = (
  definition: string,
  messageOf: (definition: string) => Message,
): Value | undefined => (isSpecial(definition) ? specials[definition]?.(messageOf) : undefined)

/** A list of texts that is a message of its own. */
export const wrappedList = (): Value =>
  special('ExtraValue', [[1, repeated('items', text)]], ({ items }) => items ?? null)

type Special = (messageOf: (definition: string) => Message) => Value

const special = (
  goName: string,
  fields: readonly (readonly [number, FieldReader])[],
  convert: (fields: Fields) => unknown,
): Value => converted(new Message(goName, () => new Map(fields)), convert)

const timeValue = (convert: (fields: Fields) => string | null): Value =>
  special(
    'Timestamp',
    [
      [1, single('seconds', int64, true)],
      [2, single('nanos', int32, true)],
    ],
    convert,
  )

/** JSON that is carried as it is. */
const rawJson = (): Value =>
  special('RawExtension', [[1, single('raw', text, false)]], ({ raw }) =>
    typeof raw === 'string' ? parse(raw) : null,
  )

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch (error) {
    throw new Malformed(`json: ${error instanceof Error ? error.message : error}`)
  }
}

const quantity = (): Value =>
  special('Quantity', [[1, single('string', text, true)]], ({ string }) => string ?? '0')

const intOrString = (): Value =>
  special(
    'IntOrString',
    [
      [1, single('type', int64, true)],
      [2, single('intVal', int32, true)],
      [3, single('strVal', text, true)],
    ],
    ({ type = 0, intVal = 0, strVal = '' }) => {
      if (type === 0) return intVal
      if (type === 1) return strVal
      throw new Malformed('impossible IntOrString.Type')
    },
  )

const specials: Readonly<Record<string, Special>> = {
  [`${META}.Time`]: () => timeValue(timeOf),
  [`${META}.MicroTime`]: () => timeValue(microTimeOf),
  [`${META}.FieldsV1`]: rawJson,
  [`${CRD}.JSON`]: rawJson,
  'io.k8s.apimachinery.pkg.runtime.RawExtension': rawJson,
  'io.k8s.apimachinery.pkg.api.resource.Quantity': quantity,
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': intOrString,
  [`${CRD}.JSONSchemaPropsOrBool`]: (messageOf) =>
    special(
      'JSONSchemaPropsOrBool',
      [
        [1, single('allows', flag, true)],
        [2, single('schema', schemaValue(messageOf), true)],
      ],
      ({ allows = false, schema }) => schema ?? allows,
    ),
  [`${CRD}.JSONSchemaPropsOrArray`]: (messageOf) =>
    special(
      'JSONSchemaPropsOrArray',
      [
        [1, single('schema', schemaValue(messageOf), true)],
        [2, repeated('schemas', schemaValue(messageOf))],
      ],
      ({ schema = null, schemas }) => schemas ?? schema,
    ),
  [`${CRD}.JSONSchemaPropsOrStringArray`]: (messageOf) =>
    special(
      'JSONSchemaPropsOrStringArray',
      [
        [1, single('schema', schemaValue(messageOf), true)],
        [2, repeated('property', text)],
      ],
      ({ schema = null, property }) => property ?? schema,
    ),
}

const schemaValue = (messageOf: (definition: string) => Message): Value =>
  nested(messageOf(`${CRD}.JSONSchemaProps`))
