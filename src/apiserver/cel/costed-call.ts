import type { Expr } from '#base/cel/ast.ts'
import type { Kind, Type } from '#base/cel/types.ts'
import type { Range } from './cost-range.ts'

/** A cost, and how large what it buys can be, where that is known. */
export interface CallEstimate {
  cost: Range
  result?: Range
}

/** Sizes of what is in a list or map. */
export interface EntrySize {
  of: Kind
  key: Range
  value: Range
}

/** What estimates of calls are made from: an argument, and how large it can be. */
export interface Operand {
  expr?: Expr
  type: Type
  size: Range
  /** Sizes of the items, where it is a list. */
  items?: Range
}

/** A call whose cost is wanted. */
export interface CostedCall {
  expr: Expr
  name: string
  overload: string
  target?: Operand
  args: readonly Operand[]
  argCosts: readonly Range[]
}
