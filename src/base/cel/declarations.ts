import { type NamedTypes, parseType, splitTopLevel } from './type-text.ts'
import type { Type } from './types.ts'

/** One way in which a function can be called. */
export interface Overload {
  id: string
  isMember: boolean
  /** The target first, if it is called on one. */
  args: readonly Type[]
  result: Type
  /** Names of the type parameters in it. */
  parameters: readonly string[]
}

/** The ways to call each function. */
export type Functions = ReadonlyMap<string, readonly Overload[]>

/** The functions of tables of signatures, and of types that only their texts name. */
export function functionsOf(tables: readonly string[], types?: NamedTypes): Functions {
  const functions = new Map<string, Overload[]>()
  for (const line of tables.flatMap((table) => table.trim().split('\n'))) {
    const { name, overload } = overloadOf(line, types)
    const group = functions.get(name)
    if (group === undefined) functions.set(name, [overload])
    else group.push(overload)
  }
  return functions
}

/** From a line such as `contains_string  string#contains(string): bool`. */
function overloadOf(line: string, types?: NamedTypes): { name: string; overload: Overload } {
  const [id = '', ...words] = line.trim().split(/\s+/)
  const signature = words.join(' ')
  const colon = signature.lastIndexOf(':')
  const member = signature.indexOf('#')
  const open = signature.indexOf('(', member + 1)
  const target = member < 0 ? [] : [signature.slice(0, member)]
  const texts = [...target, ...splitTopLevel(signature.slice(open + 1, colon - 1))]
  const args = texts.map((text) => parseType(text, types))
  const result = parseType(signature.slice(colon + 1).trim(), types)
  const overload = {
    id,
    isMember: member >= 0,
    args,
    result,
    parameters: [...new Set([...args, result].flatMap(parametersIn))],
  }
  return { name: signature.slice(member + 1, open), overload }
}

const parametersIn = (type: Type): string[] =>
  type.kind === 'parameter' ? [type.name] : type.parameters.flatMap(parametersIn)
