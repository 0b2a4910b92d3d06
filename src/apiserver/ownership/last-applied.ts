import { type Fields, fieldsAt, isFields, textAt } from '#apiserver/objects.ts'
import { parseInSteps } from '#apiserver/parse-json.ts'
import type { Steps } from '#apiserver/steps.ts'
import { problemsOf } from './check-config.ts'
import { compare } from './compare.ts'
import { difference, type FieldSet } from './field-set.ts'
import { fieldSetOf } from './field-set-of.ts'
import { goJson } from './path-element.ts'
import { rootShapeOf } from './shape.ts'
import type { Door } from './transfer.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
const largestAnnotations = 256 * 1024

const lastAppliedOf = (object: Fields): string | undefined =>
  textAt(fieldsAt(fieldsAt(object, 'metadata'), 'annotations'), annotation)

/**
 * What `kubectl apply` set before it went over to server-side apply and is still as it set it: taking
 * that over is no conflict. Undefined when there is nothing of the kind.
 */
export function* takenFromLastApplied(live: Fields, door: Door): Steps<FieldSet | undefined> {
  const config = yield* parsed(lastAppliedOf(live))
  const shape = rootShapeOf(door.schema)
  if (config?.apiVersion !== door.apiVersion || (yield* problemsOf(config, shape)).length > 0) {
    return undefined
  }
  const { changed, removed } = yield* compare(config, live, shape)
  const kept = yield* difference(yield* fieldSetOf(config, shape), changed)
  return yield* difference(kept, removed)
}

function* parsed(text: string | undefined): Steps<Fields | undefined> {
  if (text === undefined) return undefined
  try {
    const config = yield* parseInSteps(text)
    return isFields(config) ? config : undefined
  } catch {
    return undefined
  }
}

/** An object whose last-applied annotation, if it has one, tells of the configuration. */
export function withLastApplied(object: Fields, config: Fields): Fields {
  const before = lastAppliedOf(object)
  const text = `${goJson(withoutAnnotation(config))}\n`
  if (before === undefined || before === text) return object
  const metadata = fieldsAt(object, 'metadata')
  const annotations: Fields = { ...fieldsAt(metadata, 'annotations'), [annotation]: text }
  if (sizeOf(annotations) > largestAnnotations) delete annotations[annotation]
  return { ...object, metadata: { ...metadata, annotations } }
}

function withoutAnnotation(config: Fields): Fields {
  const metadata = fieldsAt(config, 'metadata')
  if (lastAppliedOf(config) === undefined) return config
  const { [annotation]: _, ...annotations } = fieldsAt(metadata, 'annotations')
  return { ...config, metadata: { ...metadata, annotations } }
}

const sizeOf = (annotations: Fields): number =>
  Object.entries(annotations).reduce(
    (size, [key, value]) => size + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  )
