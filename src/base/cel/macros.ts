import type { Call, Comprehension, Expr, Loop } from './ast.ts'

type Report = (at: number, message: string) => Expr

interface Macro {
  target: Expr
  args: Expr[]
  /** Where the call stands: where everything stands that the macro adds. */
  at: number
  report: Report
}

const RESULT = '@result'

/** Macros by their names and numbers of arguments, such as `all/2`. */
export type Macros = Readonly<Record<string, (macro: Macro) => Expr>>

/** What a call unfolds into if it is one of a macro; undefined if it is not. */
export function expandMacro(call: Call, macros: Macros, report: Report): Expr | undefined {
  const { name, target, args, at } = call
  if (target === undefined) {
    return name === 'has' && args.length === 1 ? presence(args, at, report) : undefined
  }
  return macros[`${name}/${args.length}`]?.({ target, args, at, report })
}

function presence([argument]: Expr[], at: number, report: Report): Expr | undefined {
  if (argument?.kind !== 'select') {
    return report(argument?.at ?? at, 'invalid argument to has() macro')
  }
  return { ...argument, test: true, at }
}

/** Those that every expression has, besides `has`. */
export const STANDARD_MACROS: Macros = {
  'all/2': (macro) => quantifier(macro, 'all', 1),
  'exists/2': (macro) => quantifier(macro, 'exists', 1),
  'exists_one/2': (macro) => quantifier(macro, 'one', 1),
  'map/2': (macro) => collection(macro, 'collect', 1),
  'map/3': (macro) => collection(macro, 'collect', 1),
  'filter/2': (macro) => filtered(macro),
}

/** Of optional values. */
export const OPTIONAL_MACROS: Macros = {
  'optMap/2': (macro) => optional(macro, 'optMap'),
  'optFlatMap/2': (macro) => optional(macro, 'optFlatMap'),
}

/** Loops over two variables, and sorting. */
export const EXTENSION_MACROS: Macros = {
  'all/3': (macro) => quantifier(macro, 'all', 2),
  'exists/3': (macro) => quantifier(macro, 'exists', 2),
  'exists_one/3': (macro) => quantifier(macro, 'one', 2),
  'existsOne/3': (macro) => quantifier(macro, 'one', 2),
  'transformList/3': (macro) => collection(macro, 'collect', 2),
  'transformList/4': (macro) => collection(macro, 'collect', 2),
  'transformMap/3': (macro) => collection(macro, 'insert', 2),
  'transformMap/4': (macro) => collection(macro, 'insert', 2),
  'transformMapEntry/3': (macro) => collection(macro, 'merge', 2),
  'transformMapEntry/4': (macro) => collection(macro, 'merge', 2),
  'sortBy/2': (macro) => sortBy(macro),
}

const callOf = (at: number, name: string, ...args: Expr[]): Call => ({
  kind: 'call',
  name,
  args,
  at,
})

const ident = (at: number, name: string): Expr => ({ kind: 'ident', name, at })
const literal = (at: number, value: boolean | bigint): Expr => ({ kind: 'literal', value, at })
const listOf = (at: number, ...items: Expr[]): Expr => ({
  kind: 'list',
  items,
  optional: new Set(),
  at,
})

/** The names of a loop's variables, or what is wrong with them. */
function variablesOf({ args, at, report }: Macro, count: 1 | 2): string[] | Expr {
  const names: string[] = []
  for (const arg of args.slice(0, count)) {
    if (arg.kind !== 'ident' || arg.name.startsWith('.')) {
      return report(arg.at, 'argument must be a simple name')
    }
    if (names.includes(arg.name)) return report(arg.at, `duplicate variable name: ${arg.name}`)
    if (arg.name === '__result__') {
      return report(arg.at, 'iteration variable overwrites accumulator variable')
    }
    names.push(arg.name)
  }
  return names.length === count ? names : report(at, 'argument must be a simple name')
}

type Shape = Pick<Comprehension, 'start' | 'condition' | 'step' | 'result' | 'loop'>

function comprehension(macro: Macro, [variable = '', second]: string[], shape: Shape): Expr {
  const loop: Comprehension = {
    kind: 'comprehension',
    range: macro.target,
    variable,
    accumulator: RESULT,
    at: macro.at,
    ...shape,
  }
  if (second !== undefined) loop.second = second
  return loop
}

function quantifier(macro: Macro, does: 'all' | 'exists' | 'one', count: 1 | 2): Expr {
  const names = variablesOf(macro, count)
  const body = macro.args[count]
  if (!Array.isArray(names)) return names
  if (body === undefined) return macro.target
  return comprehension(macro, names, quantifierShape(does, body, macro.at))
}

function quantifierShape(does: 'all' | 'exists' | 'one', body: Expr, at: number): Shape {
  const result = (): Expr => ident(at, RESULT)
  const loop: Loop = { does, body }
  if (does === 'one') {
    const more = callOf(at, '_+_', result(), literal(at, 1n))
    return {
      start: literal(at, 0n),
      condition: literal(at, true),
      step: callOf(at, '_?_:_', body, more, result()),
      result: callOf(at, '_==_', result(), literal(at, 1n)),
      loop,
    }
  }
  const going = does === 'all' ? result() : callOf(at, '!_', result())
  return {
    start: literal(at, does === 'all'),
    condition: callOf(at, '@not_strictly_false', going),
    step: callOf(at, does === 'all' ? '_&&_' : '_||_', result(), body),
    result: result(),
    loop,
  }
}

function collection(macro: Macro, does: 'collect' | 'insert' | 'merge', count: 1 | 2): Expr {
  const names = variablesOf(macro, count)
  if (!Array.isArray(names)) return names
  const rest = macro.args.slice(count)
  const body = rest.at(-1)
  if (body === undefined) return macro.target
  const filter = rest.length > 1 ? rest[0] : undefined
  const loop: Loop = filter === undefined ? { does, body } : { does, filter, body }
  return comprehension(macro, names, collectionShape(macro.at, names, loop))
}

function filtered(macro: Macro): Expr {
  const names = variablesOf(macro, 1)
  const [variable, filter] = macro.args
  if (!Array.isArray(names)) return names
  if (variable === undefined || filter === undefined) return macro.target
  const loop: Loop = { does: 'collect', filter, body: variable }
  return comprehension(macro, names, collectionShape(macro.at, names, loop))
}

function collectionShape(at: number, [variable = '']: string[], loop: Loop): Shape {
  const result = (): Expr => ident(at, RESULT)
  const added = {
    collect: () => callOf(at, '_+_', result(), listOf(at, loop.body)),
    insert: () => callOf(at, 'cel.@mapInsert', result(), ident(at, variable), loop.body),
    merge: () => callOf(at, 'cel.@mapInsert', result(), loop.body),
  }
  const makes = loop.does === 'insert' || loop.does === 'merge' ? loop.does : 'collect'
  const filter = 'filter' in loop ? loop.filter : undefined
  const step = added[makes]()
  return {
    start: makes === 'collect' ? listOf(at) : { kind: 'map', entries: [], at },
    condition: literal(at, true),
    step: filter === undefined ? step : callOf(at, '_?_:_', filter, step, result()),
    result: result(),
    loop,
  }
}

interface Binding {
  name: string
  value: Expr
  body: Expr
}

/** `body` with a name for a value in it. */
function binding(at: number, { name, value, body }: Binding): Expr {
  return {
    kind: 'comprehension',
    range: listOf(at),
    variable: '#unused',
    accumulator: name,
    start: value,
    condition: literal(at, false),
    step: ident(at, name),
    result: body,
    loop: { does: 'bind', body },
    at,
  }
}

function optional({ target, args, at, report }: Macro, name: 'optMap' | 'optFlatMap'): Expr {
  const [variable, body] = args
  if (variable?.kind !== 'ident' || body === undefined) {
    return report(variable?.at ?? at, `${name}() variable name must be a simple identifier`)
  }
  const value: Call = { ...callOf(at, 'value'), target }
  const inner = binding(at, { name: variable.name, value, body })
  return callOf(
    at,
    '_?_:_',
    { ...callOf(at, 'hasValue'), target },
    name === 'optMap' ? callOf(at, 'optional.of', inner) : inner,
    callOf(at, 'optional.none'),
  )
}

const SORTABLE = new Set(['list', 'select', 'ident', 'comprehension', 'call'])

function sortBy(macro: Macro): Expr {
  const { target, args, at, report } = macro
  if (!SORTABLE.has(target.kind)) {
    const places = 'a list, identifier, comprehension, call or select expression'
    return report(target.at, `sortBy can only be applied to ${places}`)
  }
  const input = '@__sortBy_input__'
  const keys = collection({ target: ident(at, input), args, at, report }, 'collect', 1)
  const body: Call = { ...callOf(at, '@sortByAssociatedKeys', keys), target: ident(at, input) }
  return binding(at, { name: input, value: target, body })
}
