import { EXTENSION_SIGNATURES } from './functions/extension-signatures.ts'
import { KUBERNETES_SIGNATURES } from './functions/kubernetes-signatures.ts'
import { STANDARD_SIGNATURES } from './functions/standard-signatures.ts'
import { parseType, splitTopLevel, type Type } from './types.ts'

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

/** The ways to call a function, or undefined if there is no such function in rules of CRDs. */
export const overloadsOf = (name: string): readonly Overload[] | undefined => {
  declared ??= declare()
  return declared.get(name)
}

let declared: Map<string, Overload[]> | undefined

function declare(): Map<string, Overload[]> {
  const functions = new Map<string, Overload[]>()
  for (const table of [STANDARD_SIGNATURES, EXTENSION_SIGNATURES, KUBERNETES_SIGNATURES]) {
    for (const line of table.trim().split('\n')) {
      const { name, overload } = overloadOf(line)
      const group = functions.get(name)
      if (group === undefined) functions.set(name, [overload])
      else group.push(overload)
    }
  }
  return functions
}

/** From a line such as `contains_string  string#contains(string): bool`. */
function overloadOf(line: string): { name: string; overload: Overload } {
  const [id = '', ...words] = line.trim().split(/\s+/)
  const signature = words.join(' ')
  const colon = signature.lastIndexOf(':')
  const member = signature.indexOf('#')
  const open = signature.indexOf('(', member + 1)
  const target = member < 0 ? [] : [signature.slice(0, member)]
  const texts = [...target, ...splitTopLevel(signature.slice(open + 1, colon - 1))]
  const args = texts.map(parseType)
  const result = parseType(signature.slice(colon + 1).trim())
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
