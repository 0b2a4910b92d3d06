import {
  type Call,
  type Comprehension,
  type Expr,
  isUintConstant,
  qualifiedName,
} from '#base/cel/ast.ts'
import type { Checked } from '#base/cel/checker.ts'
import type { Kind, Type } from '#base/cel/types.ts'
import { callEstimate } from './cost-of-calls.ts'
import {
  exactly,
  NOTHING,
  ONE,
  plus,
  type Range,
  sumOf,
  times,
  UNKNOWN,
  union,
} from './cost-range.ts'
import type { CostedCall, EntrySize, Operand } from './costed-call.ts'
import type { SchemaType } from './schema-type.ts'

/** The most that evaluating an expression can cost, in the unit that Kubernetes has for it. */
export function estimateCost(expr: Expr, checked: Checked, self: SchemaType): number {
  return new Estimator(checked, self).cost(expr).max
}

interface Variable {
  path: readonly string[]
  size?: Range | undefined
  entries?: EntrySize | undefined
}

const LIST = exactly(10)
const MAP = exactly(30)
const STRUCT = exactly(40)

class Estimator {
  private readonly checked: Checked
  private readonly self: SchemaType
  private readonly paths = new Map<Expr, readonly string[]>()
  private readonly sizes = new Map<Expr, Range>()
  private readonly entries = new Map<Expr, EntrySize>()
  private readonly variables = new Map<string, Variable[]>()

  constructor(checked: Checked, self: SchemaType) {
    this.checked = checked
    this.self = self
  }

  cost(expr: Expr): Range {
    if (this.checked.isTypeName(expr)) {
      this.paths.set(expr, [qualifiedName(expr) ?? ''])
      return ONE
    }
    switch (expr.kind) {
      case 'literal':
        return NOTHING
      case 'ident':
        this.paths.set(expr, this.local(expr.name)?.path ?? [expr.name])
        return ONE
      case 'select':
        return this.select(expr.operand, expr)
      case 'call':
        return this.call(expr)
      case 'list':
        return this.list(expr, expr.items)
      case 'map':
        return this.map(expr)
      case 'struct':
        return plus(sumOf(expr.fields.map(({ value }) => this.cost(value))), STRUCT)
      case 'comprehension':
        return expr.loop.does === 'bind' ? this.bind(expr) : this.comprehension(expr)
    }
  }

  /** Known size of a value, if there is one. */
  size(expr: Expr): Range | undefined {
    const known = this.sizes.get(expr) ?? literalSize(expr)
    if (known !== undefined) return known
    const declared = this.declaredSize(this.path(expr))
    if (declared !== undefined) {
      this.sizes.set(expr, declared)
      return declared
    }
    if (isScalar(this.checked.typeOf(expr))) return ONE
    return expr.kind === 'ident' ? this.local(expr.name)?.size : undefined
  }

  entrySize(expr: Expr): EntrySize | undefined {
    const known = this.entries.get(expr)
    if (known !== undefined || expr.kind !== 'ident') return known
    return this.local(expr.name)?.entries
  }

  setEntrySize(expr: Expr, size: EntrySize | undefined): void {
    if (size !== undefined) this.entries.set(expr, size)
  }

  private local(name: string): Variable | undefined {
    return this.variables.get(name)?.at(-1)
  }

  private push(name: string, variable: Variable): void {
    const stack = this.variables.get(name)
    if (stack === undefined) this.variables.set(name, [variable])
    else stack.push(variable)
  }

  private path(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.local(expr.name) : undefined
    return local?.path ?? this.paths.get(expr) ?? []
  }

  /** What the schema says about the size of what is found by a path from `self`. */
  private declaredSize(path: readonly string[]): Range | undefined {
    if (path.length === 0) return undefined
    let node: SchemaType | undefined = this.self
    for (const step of path.slice(1)) {
      if (step === '@items' || step === '@values') node = node.element
      else if (step === '@keys') node = node.key
      else node = node.fields?.get(step)
      if (node === undefined) return undefined
    }
    return { min: 0, max: node.maxElements }
  }

  private operand(expr: Expr): Operand {
    const type = this.checked.typeOf(expr)
    const operand: Operand = { expr, type, size: this.size(expr) ?? UNKNOWN }
    if (type.parameters[0] !== undefined) {
      const path = this.path(expr)
      const known = path.length === 0 ? undefined : this.declaredSize([...path, '@items'])
      operand.items = known ?? UNKNOWN
    }
    return operand
  }

  private select(operand: Expr, expr: Expr & { kind: 'select' }): Range {
    const cost = this.cost(operand)
    if (expr.test) return cost
    this.paths.set(expr, [...this.path(operand), expr.field])
    const { kind } = this.checked.typeOf(operand)
    return kind === 'map' || kind === 'struct' || kind === 'parameter' ? plus(cost, ONE) : cost
  }

  private call(expr: Call): Range {
    const { name, target } = this.checked.resolution(expr)
    const [first] = expr.args
    if (name === 'dyn' && first !== undefined) return this.dyn(expr, first)
    const argCosts = expr.args.map((arg) => this.cost(arg))
    const args = expr.args.map((arg) => this.operand(arg))
    if (target === undefined) return this.byOverloads({ expr, name, args, argCosts })
    const own = this.cost(target)
    return plus(own, this.byOverloads({ expr, name, args, argCosts, target: this.operand(target) }))
  }

  /** A range that covers all overloads that can be meant. */
  private byOverloads(call: Omit<CostedCall, 'overload'> & { expr: Call }): Range {
    const { overloads } = this.checked.resolution(call.expr)
    const costs: Range[] = []
    let result: Range | undefined
    for (const overload of overloads) {
      const estimate = callEstimate({ ...call, overload }, this)
      costs.push(estimate.cost)
      const sizes = [result, estimate.result].filter((one) => one !== undefined)
      const covered = sizes.length === 0 ? undefined : sizes.reduce(union)
      result = this.elementSize(call.expr, overload, covered) ?? this.size(call.expr)
    }
    if (result !== undefined) this.sizes.set(call.expr, result)
    return costs.length === 0 ? NOTHING : costs.reduce(union)
  }

  private elementSize(expr: Call, overload: string, result: Range | undefined): Range | undefined {
    const [container] = expr.args
    if (container === undefined || (overload !== 'index_list' && overload !== 'index_map')) {
      return result
    }
    const step = overload === 'index_list' ? '@items' : '@values'
    this.paths.set(expr, [...this.path(container), step])
    return this.entrySize(container)?.value
  }

  private dyn(expr: Expr, inner: Expr): Range {
    const cost = this.cost(inner)
    this.copySizes(expr, inner)
    return plus(ONE, cost)
  }

  private copySizes(to: Expr, from: Expr): void {
    const size = this.size(from)
    if (size !== undefined) this.sizes.set(to, size)
    this.setEntrySize(to, this.entrySize(from))
  }

  private sizesOf(exprs: readonly Expr[]): Range {
    const sizes = exprs.map((one) => this.size(one) ?? UNKNOWN)
    const [first, ...rest] = sizes
    return first === undefined ? NOTHING : rest.reduce(union, first)
  }

  private list(expr: Expr, items: readonly Expr[]): Range {
    const cost = sumOf(items.map((item) => this.cost(item)))
    this.setEntrySize(expr, { of: 'list', key: ONE, value: this.sizesOf(items) })
    return plus(cost, LIST)
  }

  private map(expr: Expr & { kind: 'map' }): Range {
    const keys = expr.entries.map(({ key }) => key)
    const values = expr.entries.map(({ value }) => value)
    const cost = sumOf([...keys, ...values].map((one) => this.cost(one)))
    const sizes = { key: this.sizesOf(keys), value: this.sizesOf(values) }
    this.setEntrySize(expr, { of: 'map', ...sizes })
    return plus(cost, MAP)
  }

  private bind(expr: Comprehension): Range {
    const cost = plus(this.cost(expr.range), this.cost(expr.start))
    this.pushAccumulator(expr)
    const result = this.cost(expr.result)
    this.variables.get(expr.accumulator)?.pop()
    this.copySizes(expr, expr.result)
    return plus(cost, result)
  }

  private pushAccumulator({ accumulator, start }: Comprehension): void {
    this.push(accumulator, {
      path: this.path(start),
      size: this.size(start),
      entries: this.entrySize(start),
    })
  }

  private comprehension(expr: Comprehension): Range {
    const before = plus(this.cost(expr.range), this.cost(expr.start))
    this.pushAccumulator(expr)
    this.pushVariables(expr)
    const each = plus(this.cost(expr.condition), this.cost(expr.step))
    this.variables.get(expr.variable)?.pop()
    if (expr.second !== undefined) this.variables.get(expr.second)?.pop()
    const after = this.cost(expr.result)
    this.variables.get(expr.accumulator)?.pop()
    const count = this.size(expr.range) ?? UNKNOWN
    this.setResultSize(expr, count)
    return sumOf([before, after, times(count, each)])
  }

  private pushVariables({ range, variable, second }: Comprehension): void {
    const entries = this.entrySize(range)
    const isList = (entries?.of ?? this.checked.typeOf(range).kind) === 'list'
    const path = this.path(range)
    const value = { path: [...path, isList ? '@items' : '@values'], size: entries?.value }
    const key = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key }
    if (second === undefined) this.push(variable, isList ? value : key)
    else {
      this.push(variable, key)
      this.push(second, value)
    }
  }

  private setResultSize(expr: Comprehension, count: Range): void {
    const { start } = expr
    const size = start.kind === 'literal' ? this.size(start) : count
    if (size !== undefined) this.sizes.set(expr, size)
    if (start.kind !== 'literal') this.setEntrySize(expr, this.entrySize(expr.step))
  }
}

function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return exactly(expr.items.length)
  if (expr.kind === 'map') return exactly(expr.entries.length)
  if (expr.kind !== 'literal') return undefined
  const { value } = expr
  if (typeof value === 'string') return exactly([...value].length)
  if (typeof value === 'object' && value !== null && !isUintConstant(value)) {
    return exactly(value.length)
  }
  return ONE
}

const SCALARS = new Set<Kind>(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'])

function isScalar(type: Type): boolean {
  const [first] = type.parameters
  if (type.name === 'optional_type' && first !== undefined) return isScalar(first)
  return SCALARS.has(type.kind)
}
