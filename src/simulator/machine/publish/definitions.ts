import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import { definitionTable } from './definition-table.ts'
import { placed } from './placed.ts'

/** What a client has to know of a type of resources. */
export interface Definition {
  readonly type: string
  /** The first minor version that has it. */
  readonly since: number
  readonly defaultNamespace: string
  readonly isSensitive: boolean
  readonly resource: ShownResource
}

/** All types, in order. */
export const definitions: readonly Definition[] = definitionTable
  .trim()
  .split('\n')
  .map((line) => definitionOf(line.split('|')))

const byType = new Map(definitions.map((definition) => [definition.type, definition]))

/** A type that a machine with this minor version has. */
export function definitionFor(type: string, minor: number): Definition | undefined {
  const found = byType.get(type)
  return found && found.since <= minor ? found : undefined
}

/** The catalogue of types that a machine with this minor version shows. */
export const definitionResources = (minor: number): readonly ShownResource[] =>
  definitions.filter(({ since }) => since <= minor).map(({ resource }) => resource)

function definitionOf(columns: readonly string[]): Definition {
  const [type = '', since, namespace = '', displayType, names = '', ...rest] = columns
  const [sensitivity, only, printed = ''] = rest
  const aliases = names.split(' ')
  const isSensitive = sensitivity === 'sensitive'
  const spec = {
    type,
    displayType,
    defaultNamespace: namespace,
    aliases,
    allAliases: [...(only === 'only' ? [] : automaticAliases(type)), ...aliases],
    printColumns: printed === '' ? [] : printed.split(';').map(columnOf),
    ...(isSensitive && { sensitivity }),
  }
  const resource = placed('meta', 'meta.cosi.dev')('ResourceDefinitions', type.toLowerCase(), spec)
  return { type, since: Number(since), defaultNamespace: namespace, isSensitive, resource }
}

/** `machinestatuses`, `machinestatuses.runtime`, `machinestatuses.runtime.talos` */
function automaticAliases(type: string): string[] {
  const parts = type.toLowerCase().split('.')
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('.'))
}

function columnOf(text: string): { name: string; jsonPath: string } {
  const at = text.indexOf('=')
  return { name: text.slice(0, at), jsonPath: text.slice(at + 1) }
}
