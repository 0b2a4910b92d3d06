import { type Call, type Comprehension, type Expr, isUintConstant } from '#base/cel/ast.ts'
import type { Checked } from '#base/cel/checker.ts'
import { regexOf } from '#base/regex/regex.ts'
import { type Evaluate, Evaluation } from './evaluation.ts'
import type { CelFunction } from './functions/argument.ts'
import { ZEROS } from './functions/lists.ts'
import { functionOf } from './functions.ts'
import { answerOf, loopOf } from './loops.ts'
import { callCost } from './runtime-cost.ts'
import {
  EvaluationError,
  ListValue,
  MapValue,
  mapKey,
  NONE,
  noSuchOverload,
  OptionalValue,
  PlainList,
  PlainMap,
  TypeValue,
  Uint,
  type Value,
} from './values.ts'

/** Makes an expression ready to be evaluated many times. Its types must be right. */
export function evaluator(expr: Expr, checked: Checked): Evaluate {
  return new Planner(checked).plan(expr)
}

const SELF = 0
const OLD_SELF = 1

class Planner {
  private readonly checked: Checked
  /** What is the same in each evaluation, and costs nothing. */
  private readonly constants = new Map<Evaluate, Value>()
  /** Names of local variables and where they are kept, innermost last. */
  private readonly locals: string[] = []

  constructor(checked: Checked) {
    this.checked = checked
  }

  plan(expr: Expr): Evaluate {
    if (this.checked.isTypeName(expr)) return this.typeName(expr)
    switch (expr.kind) {
      case 'literal': {
        const value =
          typeof expr.value === 'object' && expr.value !== null && isUintConstant(expr.value)
            ? new Uint(expr.value.uint)
            : expr.value
        return this.constant(value)
      }
      case 'ident':
        return this.ident(expr.name)
      case 'select':
        return this.select(expr)
      case 'call':
        return this.call(expr)
      case 'list':
        return this.list(expr)
      case 'map':
        return this.map(expr)
      case 'struct':
        throw new EvaluationError(`unknown type: ${expr.typeName}`)
      case 'comprehension':
        return this.comprehension(expr)
    }
  }

  private constant(value: Value): Evaluate {
    const evaluate: Evaluate = () => value
    this.constants.set(evaluate, value)
    return evaluate
  }

  /** The values of several plans, if each is the same in each evaluation. */
  private constantsOf(plans: readonly Evaluate[]): Value[] | undefined {
    const values: Value[] = []
    for (const plan of plans) {
      const value = this.constants.get(plan)
      if (value === undefined) return undefined
      values.push(value)
    }
    return values
  }

  private typeName(expr: Expr): Evaluate {
    const [inner] = this.checked.typeOf(expr).parameters
    const name = TYPE_NAMES[inner?.kind ?? ''] ?? inner?.name ?? 'type'
    return this.constant(new TypeValue(name))
  }

  private ident(name: string): Evaluate {
    const local = this.locals.lastIndexOf(name)
    const slot =
      local >= 0 ? local + 2 : name === 'oldSelf' || name === '.oldSelf' ? OLD_SELF : SELF
    return (run) => {
      run.spend(1)
      return run.variables[slot] ?? null
    }
  }

  private select({ operand, field, test }: Expr & { kind: 'select' }): Evaluate {
    const inner = this.plan(operand)
    if (test) return (run) => hasField(inner(run), field)
    return (run) => {
      const value = inner(run)
      run.spend(1)
      if (value instanceof OptionalValue) return optionalFieldOf(value, field)
      const found = fieldOf(value, field)
      if (found === undefined) throw new EvaluationError(`no such key: ${field}`)
      return found
    }
  }

  private call(expr: Call): Evaluate {
    const { name, target } = this.checked.resolution(expr)
    const args = target === undefined ? expr.args : [target, ...expr.args]
    const special = this.special(name, args)
    if (special !== undefined) return special
    const plans = args.map((arg) => this.plan(arg))
    const constants = CONVERSIONS.has(name) ? this.constantsOf(plans) : undefined
    if (constants !== undefined) return this.constant(functionOf(name)(constants))
    if (SEARCHES.has(name)) this.checkPattern(plans[1])
    if (name === '@in' && this.isFixedSet(plans[1])) return member(plans)
    return strict(name, functionOf(name), plans)
  }

  private checkPattern(plan: Evaluate | undefined): void {
    const pattern = plan === undefined ? undefined : this.constants.get(plan)
    const regex = typeof pattern === 'string' ? regexOf(pattern) : undefined
    if (typeof regex === 'string') throw new EvaluationError(regex)
  }

  private isFixedSet(plan: Evaluate | undefined): boolean {
    return plan !== undefined && this.constants.get(plan) instanceof ListValue
  }

  private special(name: string, args: readonly Expr[]): Evaluate | undefined {
    switch (name) {
      case '_&&_':
        return this.logical(args, false)
      case '_||_':
        return this.logical(args, true)
      case '_?_:_':
        return this.conditional(args)
      case '_?._':
        return this.optionalSelect(args)
      case 'or':
      case 'orValue':
        return this.orValue(name, args)
      case 'sum':
        return this.sum(args)
      default:
        return undefined
    }
  }

  /** Of several conditions: one that is `decisive` decides, even if others fail. */
  private logical(args: readonly Expr[], decisive: boolean): Evaluate {
    const plans = args.map((arg) => this.plan(arg))
    return (run) => {
      let failure: EvaluationError | undefined
      for (const plan of plans) {
        const value = answerOf(plan, run)
        if (value === decisive) return decisive
        if (typeof value !== 'boolean') failure ??= value
      }
      if (failure !== undefined) throw failure
      return !decisive
    }
  }

  private conditional(args: readonly Expr[]): Evaluate {
    const [condition = NEVER, yes = NEVER, no = NEVER] = args.map((arg) => this.plan(arg))
    return (run) => {
      const value = condition(run)
      if (typeof value !== 'boolean') throw noSuchOverload()
      return value ? yes(run) : no(run)
    }
  }

  private optionalSelect([operand, field]: readonly Expr[]): Evaluate {
    const inner = operand === undefined ? NEVER : this.plan(operand)
    const name = field?.kind === 'literal' ? String(field.value) : ''
    return (run) => {
      const value = inner(run)
      run.spend(1)
      const from = value instanceof OptionalValue ? value : new OptionalValue(value)
      return optionalFieldOf(from, name)
    }
  }

  private orValue(name: 'or' | 'orValue', args: readonly Expr[]): Evaluate {
    const [first = NEVER, other = NEVER] = args.map((arg) => this.plan(arg))
    return (run) => {
      const value = first(run)
      if (!(value instanceof OptionalValue)) throw noSuchOverload()
      if (value.value === undefined) return other(run)
      return name === 'or' ? value : value.value
    }
  }

  /** What the sum of no items is depends on their type, which their values cannot tell. */
  private sum([list]: readonly Expr[]): Evaluate {
    if (list === undefined) return NEVER
    const plan = this.plan(list)
    const [item] = this.checked.typeOf(list).parameters
    const zero = ZEROS[item?.kind ?? ''] ?? 0n
    const total = functionOf('sum')
    const cost = callCost('sum')
    return (run) => {
      const items = plan(run)
      const isEmpty = items instanceof ListValue && items.size === 0
      const result = isEmpty ? zero : total([items])
      run.spend(cost([items], result))
      return result
    }
  }

  private list({ items, optional }: Expr & { kind: 'list' }): Evaluate {
    const plans = items.map((item) => this.plan(item))
    const constants = optional.size === 0 ? this.constantsOf(plans) : undefined
    if (constants !== undefined) return this.constant(new PlainList(constants))
    return (run) => {
      const values: Value[] = []
      for (let i = 0; i < plans.length; i += 1) {
        const value = (plans[i] ?? NEVER)(run)
        if (!optional.has(i)) values.push(value)
        else if (value instanceof OptionalValue && value.value !== undefined) {
          values.push(value.value)
        }
      }
      run.spend(10)
      return new PlainList(values)
    }
  }

  private map({ entries }: Expr & { kind: 'map' }): Evaluate {
    const plans = entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }))
    const evaluate: Evaluate = (run) => {
      const result = new Map<string, readonly [Value, Value]>()
      for (const { key, value, optional } of plans) {
        const name = key(run)
        const held = value(run)
        const own = optional && held instanceof OptionalValue ? held.value : held
        if (own !== undefined) result.set(mapKey(name), [name, own])
      }
      run.spend(30)
      return new PlainMap(result)
    }
    const parts = plans.flatMap(({ key, value }) => [key, value])
    const isFixed = this.constantsOf(parts) !== undefined && !entries.some((one) => one.optional)
    return isFixed ? this.constant(evaluate(new Evaluation(null, null, MANY))) : evaluate
  }

  private comprehension(expr: Comprehension): Evaluate {
    const { loop } = expr
    if (loop.does === 'bind') return this.bind(expr)
    const range = this.plan(expr.range)
    const slot = this.locals.length + 2
    this.locals.push(expr.variable, expr.second ?? '')
    const body = this.plan(loop.body)
    const filter =
      'filter' in loop && loop.filter !== undefined ? this.plan(loop.filter) : undefined
    this.locals.splice(-2)
    const isPair = expr.second !== undefined
    return loopOf({ does: loop.does, range, body, filter, slot, isPair })
  }

  private bind({ accumulator, start, result }: Comprehension): Evaluate {
    const value = this.plan(start)
    const slot = this.locals.length + 2
    this.locals.push(accumulator)
    const body = this.plan(result)
    this.locals.pop()
    return (run) => {
      run.variables[slot] = value(run)
      return body(run)
    }
  }
}

const MANY = Number.POSITIVE_INFINITY

const SEARCHES = new Set(['matches', 'find', 'findAll'])

const CONVERSIONS = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
])

/** Whether a value is in a list that is always the same: costs no more than the value. */
function member([value = NEVER, list = NEVER]: readonly Evaluate[]): Evaluate {
  const contains = functionOf('@in')
  return (run) => contains([value(run), list(run)])
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
}

const NEVER: Evaluate = () => {
  throw noSuchOverload()
}

function hasField(value: Value, field: string): boolean {
  if (value instanceof OptionalValue)
    return value.value !== undefined && hasField(value.value, field)
  return value instanceof MapValue && value.get(field) !== undefined
}

function fieldOf(value: Value, field: string): Value | undefined {
  if (value instanceof MapValue) return value.get(field)
  if (value instanceof OptionalValue) {
    return value.value === undefined ? undefined : fieldOf(value.value, field)
  }
  throw new EvaluationError(`no such key: ${field}`)
}

function optionalFieldOf({ value }: OptionalValue, field: string): Value {
  const found = value === undefined ? undefined : fieldOf(value, field)
  return found === undefined ? NONE : new OptionalValue(found)
}

/** A call of a function that needs all its arguments. */
function strict(name: string, implementation: CelFunction, plans: readonly Evaluate[]): Evaluate {
  const cost = callCost(name)
  const [first = NEVER, second = NEVER] = plans
  if (plans.length === 2) {
    return (run) => {
      const args = [first(run), second(run)]
      const result = implementation(args)
      run.spend(cost(args, result))
      return result
    }
  }
  return (run) => {
    const args = plans.map((plan) => plan(run))
    const result = implementation(args)
    run.spend(cost(args, result))
    return result
  }
}
