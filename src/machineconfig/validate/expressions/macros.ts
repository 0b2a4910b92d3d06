import { BOOL, type CelType, DYN, formatType, listType, UNKNOWN } from './cel-type.ts'
import type { Cursor } from './cursor.ts'
import type { Part, Typing } from './typing.ts'

/** What a macro reads its arguments with. */
export interface Reading {
  readonly cursor: Cursor
  readonly typing: Typing
  expression(): Part
}

/** A call that may be read in its own way; what it is called on, if anything. */
export interface MacroCall {
  readonly name: string
  readonly target?: Part
  readonly at: number
}

const LOOPS = ['all', 'exists', 'exists_one', 'existsOne', 'filter', 'map']
const OPTIONAL = ['optMap', 'optFlatMap']

/** Reads the arguments up to their end and tells what comes out. Undefined if it is no macro. */
export function readMacro(call: MacroCall, reading: Reading): Part | undefined {
  const { cursor, typing } = reading
  const count = cursor.countArguments()
  const { name, target, at } = call
  if (target === undefined) {
    return name === 'has' && count === 1 ? has(reading, at) : undefined
  }
  const isOptional = typing.environment.hasOptionals && OPTIONAL.includes(name) && count === 2
  const isLoop = LOOPS.includes(name) && (count === 2 || (name === 'map' && count === 3))
  if (!isOptional && !isLoop) return undefined
  const variable = { name: variableName(reading), type: itemOf(target, typing) }
  const type = typing.within(variable, () => loopType(name, variable.type, reading))
  cursor.close(')')
  return { type, at }
}

function variableName({ cursor, expression }: Reading): string {
  const { kind, text } = cursor.token
  const isName = kind === 'ident' && cursor.peek(1).text === ','
  if (isName) cursor.take()
  else cursor.refuse(expression().at, 'argument must be a simple name')
  cursor.close(',')
  return text
}

function loopType(name: string, item: CelType, { cursor, typing, expression }: Reading): CelType {
  const first = expression()
  if (name === 'optFlatMap') return first.type
  if (name === 'optMap') return { name: 'optional_type', of: [first.type] }
  const isFiltered = name !== 'map' || cursor.accept(',') !== undefined
  if (!isFiltered) return listType(first.type)
  typing.expect(first, BOOL)
  if (name === 'map') return listType(expression().type)
  return name === 'filter' ? listType(item) : BOOL
}

function has({ cursor, typing, expression }: Reading, at: number): Part {
  const before = typing.issues.length
  const argument = expression()
  if (!argument.isField) cursor.refuse(argument.at, 'invalid argument to has() macro')
  // Of what it asks for, the call itself is the place.
  for (const [i, issue] of typing.issues.entries()) {
    if (i >= before && issue.at === argument.at) typing.issues[i] = { ...issue, at }
  }
  cursor.close(')')
  return { type: BOOL, at }
}

/** What a loop over it sees. */
function itemOf({ type, at }: Part, typing: Typing): CelType {
  const [item = DYN] = type.of
  if (['list', 'map', 'optional_type'].includes(type.name)) return item
  if (type.name === DYN.name || type.name === UNKNOWN.name) return type
  const kinds = 'cannot be range of a comprehension (must be list, map, or dynamic)'
  typing.issues.push({ at, message: `expression of type '${formatType(type)}' ${kinds}` })
  return UNKNOWN
}
