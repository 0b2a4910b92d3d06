import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields } from '#apiserver/objects.ts'
import type { ScalePaths } from './definition.ts'
import { typeOfJson } from './go-types.ts'

/** What a Scale says when its object does not say how many it wants. Not to be stored. */
export const NO_REPLICAS = -(2 ** 31)

/** An object as `autoscaling/v1` Scale. */
interface ScaleView {
  scale: Fields
  /** Why it cannot be made, as Kubernetes says it. */
  problem?: string
}

/** The Scale of an object. */
export function scaleOf(object: Fields, paths: ScalePaths): ScaleView {
  const wanted = numberAt(object, paths.specReplicasPath)
  const { value: replicas = NO_REPLICAS } = wanted
  const current = numberAt(object, paths.statusReplicasPath)
  const selector = paths.labelSelectorPath ? valueAt(object, paths.labelSelectorPath, 'string') : {}
  const problem = wanted.problem ?? current.problem ?? selector.problem
  const { name, namespace, uid, resourceVersion, creationTimestamp } = fieldsAt(object, 'metadata')
  const scale: Fields = {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    },
    spec: { ...(replicas !== 0 && { replicas }) },
    status: {
      replicas: current.value ?? 0,
      ...(selector.value !== undefined && selector.value !== '' && { selector: selector.value }),
    },
  }
  return problem === undefined ? { scale } : { scale, problem }
}

/** Sets the replicas that an object is to have, in place. */
export function setReplicas(object: Fields, paths: ScalePaths, replicas: number): void {
  const keys = keysOf(paths.specReplicasPath)
  const last = keys.pop() ?? ''
  let fields = object
  for (const key of keys) {
    const inner = fields[key]
    const next = isFields(inner) ? inner : {}
    fields[key] = next
    fields = next
  }
  fields[last] = replicas
}

const most = 2 ** 31 - 1

/** What is wrong with the replicas that an object is to have. */
export const specScaleErrors = (object: Fields, { specReplicasPath }: ScalePaths): FieldError[] =>
  replicaErrors(object, specReplicasPath)

/** What is wrong with the replicas that an object has, and with the selector that finds them. */
export function statusScaleErrors(object: Fields, paths: ScalePaths): FieldError[] {
  const { statusReplicasPath, labelSelectorPath } = paths
  const problem = labelSelectorPath && valueAt(object, labelSelectorPath, 'string').problem
  return [
    ...replicaErrors(object, statusReplicasPath),
    ...(problem ? [invalidField(labelSelectorPath, '', problem)] : []),
  ]
}

function replicaErrors(object: Fields, path: string): FieldError[] {
  const { value = 0, problem } = numberAt(object, path)
  if (problem !== undefined) return [invalidField(path, 0, problem)]
  if (value < 0) return [invalidField(path, value, 'should be a non-negative integer')]
  return value > most ? [invalidField(path, value, `should be less than or equal to ${most}`)] : []
}

function numberAt(object: Fields, path: string): { value?: number; problem?: string } {
  const { value, problem } = valueAt(object, path, 'int64')
  if (problem !== undefined) return { problem }
  return typeof value === 'number' ? { value } : {}
}

const keysOf = (path: string): string[] => path.replace(/^\./, '').split('.')

function valueAt(
  object: Fields,
  path: string,
  type: 'int64' | 'string',
): { value?: unknown; problem?: string } {
  const keys = keysOf(path)
  let value: unknown = object
  for (const [index, key] of keys.entries()) {
    if (value === null) return {}
    if (!isFields(value))
      return { problem: wrongType(keys.slice(0, index + 1), value, 'map[string]interface{}') }
    if (!Object.hasOwn(value, key)) return {}
    value = value[key]
  }
  const fits = type === 'int64' ? Number.isInteger(value) : typeof value === 'string'
  return fits ? { value } : { problem: wrongType(keys, value, type) }
}

/** As Kubernetes says it, with the type that Go has for a JSON value. */
function wrongType(keys: readonly string[], value: unknown, wanted: string): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const shown = value === null ? '<nil>' : text
  const goTypes: Readonly<Record<string, string>> = {
    number: 'float64',
    object: 'map[string]interface {}',
    array: '[]interface {}',
  }
  const type = value === null ? '<nil>' : (goTypes[typeOfJson(value)] ?? typeOfJson(value))
  return `.${keys.join('.')} accessor error: ${shown} is of the type ${type}, expected ${wanted}`
}
