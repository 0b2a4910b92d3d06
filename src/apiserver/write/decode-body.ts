import { bodyExcerpt } from '#apiserver/body-excerpt.ts'
import { duplicateFieldsIn, fieldProblemsIn } from '#apiserver/builtin/duplicate-fields.ts'
import { ApiFailure, badRequest } from '#apiserver/failure.ts'
import { jsonProblemInSteps } from '#apiserver/json-error.ts'
import { dropRepeatedOwners } from '#apiserver/metadata/owner-references.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import { parseBodyInSteps } from '#apiserver/parse-json.ts'
import { parseYamlBodyInSteps } from '#apiserver/parse-yaml.ts'
import { decodeProtobuf, PROTOBUF } from '#apiserver/protobuf/decode.ts'
import type { Resource } from '#apiserver/resource.ts'
import { atOnce, type Steps } from '#apiserver/steps.ts'
import { utf8InSteps } from '#apiserver/utf8-text.ts'
import type { YamlValue } from '#apiserver/yaml-value.ts'
import type { Ask, FieldValidation } from './ask.ts'

/** A body as it came. */
export interface Body {
  bytes: Buffer
  contentType: string
}

/** The object in a body, of the ask's kind, with defaults. Warns or fails of fields that are not known. */
export function* decodeInSteps(ask: Ask, body: Body): Steps<Fields> {
  const read = yield* parsed(ask.resource, body)
  yield
  return yield* decodedInSteps(ask, read)
}

/** An object of the ask's kind, with defaults. */
export const decoded = (ask: Ask, read: Parsed): Fields => atOnce(decodedInSteps(ask, read))

/** The same, with pauses. */
export function* decodedInSteps(ask: Ask, read: Parsed): Steps<Fields> {
  const { given, text } = read
  const { object, unknown } = yield* ask.resource.decode(given, text, {
    keepsNulls: ask.method === 'apply',
  })
  yield
  // What is applied has been typed before, and is told of no more.
  if (ask.fieldValidation !== 'Ignore' && ask.method !== 'apply') {
    tellOf(ask, yield* problemsOf(ask, read, unknown))
  }
  yield* dropRepeatedOwners(object, { isPatched: text === undefined, warn: ask.warn })
  const { behaviour } = ask.resource
  if (behaviour.fillDefaults) yield* behaviour.fillDefaults(object)
  else behaviour.setDefaults?.(object)
  return object
}

/** What is strange about the fields of a body, of which the text is told if it is JSON. */
function* problemsOf(
  { resource, fieldValidation }: Ask,
  { text, isJson, repeated = [] }: Parsed,
  unknown: readonly string[],
): Steps<string[]> {
  if (text === undefined || !isJson) {
    return [...repeatProblems(repeated, fieldValidation), ...unknown.map(unknownField)]
  }
  // In most bodies nothing is unknown, and then repeats are found faster.
  if (!resource.isCustom && unknown.length > 0) return yield* fieldProblemsIn(text, unknown)
  const found = yield* duplicateFieldsIn(text)
  return [...found.map((path) => `duplicate field "${path}"`), ...unknown.map(unknownField)]
}

/** Of keys that are there twice in YAML there is one problem, or a warning for each. */
export const repeatProblems = (
  repeated: readonly string[],
  fieldValidation: FieldValidation,
): readonly string[] =>
  repeated.length > 0 && fieldValidation === 'Strict'
    ? [`yaml: unmarshal errors:\n  ${repeated.join('\n  ')}`]
    : repeated

const unknownField = (path: string): string => `unknown field "${path}"`

/** What is not as the kind has it stops the write, is told to the writer, or is left at that. */
function tellOf({ fieldValidation, warn, resource }: Ask, problems: readonly string[]): void {
  if (problems.length === 0 || fieldValidation === 'Ignore') return
  if (fieldValidation === 'Warn') {
    for (const problem of problems) warn(problem)
    return
  }
  const { kind, version } = resource
  throw badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${problems.join(', ')}`,
  )
}

interface Parsed {
  given: Fields
  /** What it was parsed from. */
  text?: string
  /** Whether that is JSON, in which fields can be there twice. */
  isJson?: boolean
  /** Where keys are that are there twice, if it is YAML. */
  repeated?: readonly string[]
}

/** What a body is read as. */
type Read = Pick<Resource, 'group' | 'version' | 'kind' | 'schema' | 'isCustom'>

/** The value in a body, which must be an object. */
export function* parsed(resource: Read, body: Body): Steps<Parsed> {
  const text = yield* utf8InSteps(body.bytes)
  const { kind } = resource
  const refuse = (why: string) =>
    badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why}`,
    )
  if (isProtobuf(body.contentType) && !resource.isCustom) {
    return { given: decodeProtobuf(body.bytes, resource) }
  }
  const isYaml = body.contentType.startsWith('application/yaml')
  const { value, repeated } = isYaml
    ? yield* yamlIn(text, kind)
    : { value: yield* valueIn(text, body.contentType, refuse), repeated: [] }
  // Go reads null as an object with nothing in it.
  if (value === null) return { given: {}, text: isYaml ? text : '{}', isJson: !isYaml }
  if (!isFields(value)) throw refuse(`${notAnObject(value)} (${bodyExcerpt(text)})`)
  return { given: value, text, isJson: !isYaml, repeated }
}

/** What typed clients prefer for the kinds of Kubernetes. They are answered in JSON. */
export const isProtobuf = (contentType: string): boolean => contentType.startsWith(PROTOBUF)

function* valueIn(
  text: string,
  contentType: string,
  refuse: (why: string) => ApiFailure,
): Steps<unknown> {
  if (contentType !== '' && !contentType.startsWith('application/json')) throw unknownFormat()
  if (text === '') throw refuse('unexpected end of JSON input (<empty>)')
  try {
    return yield* parseBodyInSteps(text)
  } catch (error) {
    if (error instanceof ApiFailure) throw error
    throw refuse(`${yield* jsonProblemInSteps(text)} (${bodyExcerpt(text)})`)
  }
}

function* yamlIn(text: string, kind: string): Steps<YamlValue> {
  try {
    return yield* parseYamlBodyInSteps(text)
  } catch (error) {
    if (error instanceof ApiFailure) throw error
    const why = error instanceof Error ? error.message : error
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${why} (${bodyExcerpt(text)})`,
    )
  }
}

/** What Go says of a JSON value that should have been an object of some kind. */
export function notAnObject(value: unknown): string {
  const name = Array.isArray(value) ? 'array' : typeof value
  return `json: cannot unmarshal ${name} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`
}

const unknownFormat = (): ApiFailure =>
  new ApiFailure(
    415,
    'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    { reason: 'UnsupportedMediaType' },
  )
