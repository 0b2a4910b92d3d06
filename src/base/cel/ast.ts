/** Where an expression stands: how many characters come before the sign that makes it. */
interface Placed {
  at: number
}

export type Constant = string | boolean | bigint | number | null | Uint8Array | UintConstant

/** A literal such as `5u`: another type than `5`. */
interface UintConstant {
  uint: bigint
}

export interface Literal extends Placed {
  kind: 'literal'
  value: Constant
}

interface Ident extends Placed {
  kind: 'ident'
  name: string
}

/** `operand.field`, or with `test` the question `has(operand.field)`. */
export interface Select extends Placed {
  kind: 'select'
  operand: Expr
  field: string
  test: boolean
}

/** Operators are calls of functions named like `_+_`; `&&` and `||` take any number of arguments. */
export interface Call extends Placed {
  kind: 'call'
  name: string
  target?: Expr
  args: Expr[]
}

export interface ListExpr extends Placed {
  kind: 'list'
  items: Expr[]
  /** Indices of the items that are written `?item`. */
  optional: ReadonlySet<number>
}

export interface Entry extends Placed {
  key: Expr
  value: Expr
  optional: boolean
}

interface MapExpr extends Placed {
  kind: 'map'
  entries: Entry[]
}

export interface StructExpr extends Placed {
  kind: 'struct'
  typeName: string
  fields: { at: number; name: string; value: Expr; optional: boolean }[]
}

/**
 * A loop, as a macro unfolds into it: what types and costs are judged by. `loop` tells the same in the
 * form in which it is evaluated.
 */
export interface Comprehension extends Placed {
  kind: 'comprehension'
  range: Expr
  variable: string
  second?: string
  accumulator: string
  start: Expr
  condition: Expr
  step: Expr
  result: Expr
  loop: Loop
}

export type Loop =
  | { does: 'all' | 'exists' | 'one'; body: Expr }
  | { does: 'collect' | 'insert' | 'merge'; filter?: Expr; body: Expr }
  | { does: 'bind'; body: Expr }

export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension

/** `a.b.c` as one name, if it is nothing but names. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.test) return undefined
  const prefix = qualifiedName(expr.operand)
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`
}

export const isUintConstant = (value: Constant): value is UintConstant =>
  typeof value === 'object' && value !== null && 'uint' in value

/** What an expression is made of. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand]
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args]
    case 'list':
      return expr.items
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value])
    case 'struct':
      return expr.fields.map(({ value }) => value)
    case 'comprehension':
      return [expr.range, expr.start, expr.condition, expr.step, expr.result]
    default:
      return []
  }
}
