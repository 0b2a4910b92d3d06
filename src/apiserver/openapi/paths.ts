import type { Fields } from '#apiserver/objects.ts'
import { nameOfKind } from './components.ts'
import type { Dialect } from './dialect.ts'
import { type Described, type Operation, operationsOf } from './operations.ts'
import { SHARED } from './shared-definitions.ts'

type Describe = (operation: Operation) => Fields

/** The paths of resources, each with what can be done there as `describe` puts it. */
export function pathsOf(
  resources: readonly Described[],
  describe: Describe,
  parameter: (name: string) => Fields,
): Fields {
  const paths: Record<string, Fields> = {}
  for (const operation of resources.flatMap(operationsOf)) {
    const { path, method, action, id, gvk } = operation
    const item = paths[path] ?? parametersIn(path, parameter)
    paths[path] = item
    item[method] = {
      operationId: id,
      ...describe(operation),
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': gvk,
    }
  }
  return paths
}

function parametersIn(path: string, parameter: (name: string) => Fields): Fields {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return names.length > 0 ? { parameters: names.map(parameter) } : {}
}

/** The name of the definition of what an operation answers with. */
export const answerOf = ({ answers }: Operation): string =>
  answers === 'status' ? SHARED.status : nameOfKind(answers)

/** The name of the definition of what an operation is sent, if it is sent anything. */
export function bodyOf({ sends }: Operation): string | undefined {
  if (sends === undefined) return undefined
  return typeof sends === 'string' ? SHARED[sends] : nameOfKind(sends)
}

export const referTo = (name: string, dialect: Dialect): Fields => dialect.reference(name, {})
