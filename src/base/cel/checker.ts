import {
  type Call,
  type Comprehension,
  type Entry,
  type Expr,
  isUintConstant,
  type Literal,
  qualifiedName,
  type Select,
} from './ast.ts'
import type { Overload } from './declarations.ts'
import type { Environment } from './environment.ts'
import type { Issue } from './source.ts'
import { mostGeneral, Substitution, TypesTooLarge, withParameters } from './substitution.ts'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  formatType,
  INT,
  isDyn,
  isDynOrError,
  isExactly,
  isOptional,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  type Type,
  UINT,
} from './types.ts'

/** How a call was understood: which function, on which target, by which of its overloads. */
interface Resolution {
  name: string
  target?: Expr
  overloads: readonly string[]
}

/** What is known about an expression whose types are right. */
export interface Checked {
  typeOf(expr: Expr): Type
  resolution(call: Call): Resolution
  /** Names that turned out to be types, such as `int` or `google.protobuf.Timestamp`. */
  isTypeName(expr: Expr): boolean
  names: ReadonlySet<string>
}

type CheckResult =
  | { checked: Checked; issues?: undefined }
  | { checked?: undefined; issues: Issue[] }

/** Judges an expression by the types of what it names. */
export function check(expr: Expr, environment: Environment): CheckResult {
  const checker = new Checker(environment)
  try {
    checker.check(expr)
  } catch (error) {
    if (!(error instanceof TypesTooLarge)) throw error
    return { issues: [{ message: 'types of the expression are too large' }] }
  }
  checker.known.close()
  return checker.issues.length > 0 ? { issues: checker.issues } : { checked: checker }
}

class Checker implements Checked {
  readonly issues: Issue[] = []
  readonly names = new Set<string>()
  private readonly types = new Map<Expr, Type>()
  private readonly resolutions = new Map<Call, Resolution>()
  private readonly typeNames = new Set<Expr>()
  readonly known = new Substitution()
  private readonly environment: Environment
  private readonly scopes: ReadonlyMap<string, Type>[]

  constructor(environment: Environment) {
    this.environment = environment
    this.scopes = [environment.variables]
  }

  typeOf(expr: Expr): Type {
    return this.known.resolve(this.types.get(expr) ?? DYN, true)
  }

  resolution(call: Call): Resolution {
    return this.resolutions.get(call) ?? { name: call.name, overloads: [] }
  }

  isTypeName(expr: Expr): boolean {
    return this.typeNames.has(expr)
  }

  check(expr: Expr): Type {
    const type = this.judge(expr)
    this.types.set(expr, type)
    return type
  }

  private judge(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr)
      case 'ident':
        return this.ident(expr, expr.name) ?? this.undeclared(expr.at, expr.name)
      case 'select':
        return this.select(expr)
      case 'call':
        return this.call(expr)
      case 'list':
        return this.list(expr.items, expr.optional)
      case 'map':
        return this.map(expr.entries)
      case 'struct':
        for (const { value } of expr.fields) this.check(value)
        return this.undeclared(expr.at, expr.typeName)
      case 'comprehension':
        return this.comprehension(expr)
    }
  }

  private issue(at: number, message: string): Type {
    this.issues.push({ at, message })
    return ERROR
  }

  private undeclared(at: number, name: string): Type {
    return this.issue(at, `undeclared reference to '${plain(name)}' (in container '')`)
  }

  private ident(expr: Expr, name: string): Type | undefined {
    const wanted = plain(name)
    for (let i = this.scopes.length - 1; i >= 0; i -= 1) {
      const type = this.scopes[i]?.get(wanted)
      if (type === undefined) continue
      this.names.add(wanted)
      return type
    }
    const type = this.environment.types.get(wanted)
    if (type !== undefined) this.typeNames.add(expr)
    return type
  }

  private select(expr: Select): Type {
    const name = qualifiedName(expr)
    const type = name === undefined ? undefined : this.ident(expr, name)
    if (type !== undefined) return type
    const field = this.field(expr.at, expr.operand, expr.field)
    return expr.test ? BOOL : this.known.resolve(field)
  }

  private field(at: number, operand: Expr, name: string): Type {
    const found = this.known.resolve(this.check(operand))
    const optional = isOptional(found)
    const target = optional ? (found.parameters[0] ?? DYN) : found
    const result = this.fieldOf(at, target, name)
    return optional ? optionalOf(result) : result
  }

  private fieldOf(at: number, target: Type, name: string): Type {
    switch (target.kind) {
      case 'map':
        return target.parameters[1] ?? DYN
      case 'struct':
        return target.fields?.get(name) ?? this.issue(at, `undefined field '${name}'`)
      case 'parameter':
        this.known.assignable([DYN], [target])
        return DYN
      default:
        if (!isDynOrError(target)) {
          this.issue(at, `type '${formatType(target)}' does not support field selection`)
        }
        return DYN
    }
  }

  private call(expr: Call): Type {
    const { name, target, args } = expr
    const { functions } = this.environment
    if (name === '_?._') return this.optionalField(expr)
    for (const arg of args) this.check(arg)
    const prefix = target === undefined ? undefined : qualifiedName(target)
    const qualified = prefix === undefined ? plain(name) : `${plain(prefix)}.${name}`
    const global =
      target === undefined || prefix !== undefined ? functions.get(qualified) : undefined
    if (global !== undefined) return this.resolve(expr, global, { name: qualified })
    if (target === undefined) return this.undeclared(expr.at, name)
    this.check(target)
    const methods = functions.get(name)
    return methods === undefined
      ? this.undeclared(expr.at, name)
      : this.resolve(expr, methods, { name, target })
  }

  private optionalField(expr: Call): Type {
    const [operand, field] = expr.args
    if (operand === undefined || field?.kind !== 'literal') return ERROR
    this.types.set(field, STRING)
    this.resolutions.set(expr, { name: expr.name, overloads: ['select_optional_field'] })
    const type = this.known.resolve(this.field(expr.at, operand, String(field.value)))
    return isOptional(type) ? type : optionalOf(type)
  }

  private resolve(
    expr: Call,
    overloads: readonly Overload[],
    found: { name: string; target?: Expr },
  ): Type {
    const { name, target } = found
    if (name === '_&&_' || name === '_||_') return this.logical(expr)
    const exprs = target === undefined ? expr.args : [target, ...expr.args]
    const types = exprs.map((one) => this.types.get(one) ?? DYN)
    const ids: string[] = []
    let result: Type | undefined
    for (const overload of overloads) {
      const isCandidate = overload.isMember === (target !== undefined)
      const one = isCandidate ? this.match(overload, types) : undefined
      if (one === undefined) continue
      ids.push(overload.id)
      result = result === undefined || isExactly(one, result) ? one : DYN
    }
    if (result === undefined) return this.noOverload(expr, name, types)
    this.resolutions.set(expr, { ...found, overloads: ids })
    return result
  }

  private noOverload(expr: Call, name: string, types: readonly Type[]): Type {
    const shown = types.map((type) => formatType(this.known.resolve(type, true)))
    const on = types.length > expr.args.length ? `${shown.shift()}.` : ''
    const signature = `${on}(${shown.join(', ')})`
    return this.issue(expr.at, `found no matching overload for '${name}' applied to '${signature}'`)
  }

  private logical(expr: Call): Type {
    const wrong = expr.args.filter((arg) => !this.expect(arg, BOOL, this.types.get(arg) ?? DYN))
    const overloads = [expr.name === '_&&_' ? 'logical_and' : 'logical_or']
    this.resolutions.set(expr, { name: expr.name, overloads })
    return wrong.length > 0 ? ERROR : BOOL
  }

  private match(overload: Overload, types: readonly Type[]): Type | undefined {
    if (overload.args.length !== types.length) return undefined
    const fresh = new Map(overload.parameters.map((one) => [one, this.known.fresh()]))
    const args = overload.args.map((one) => instantiate(one, fresh))
    if (!this.known.assignable(types, args)) return undefined
    return this.known.resolve(instantiate(overload.result, fresh))
  }

  /** Tells of a type that is not the one that is wanted; returns whether it is. */
  private expect(expr: Expr, wanted: Type, found: Type): boolean {
    if (this.known.assignable([wanted], [found])) return true
    this.mismatch(expr, wanted, found)
    return false
  }

  private mismatch(expr: Expr, wanted: Type, found: Type): void {
    this.issue(
      expr.at,
      `expected type '${formatType(this.known.resolve(wanted))}' but found '${formatType(this.known.resolve(found))}'`,
    )
  }

  private element(expr: Expr, optional: boolean): Type {
    const type = this.check(expr)
    if (!optional) return type
    if (isOptional(type)) return type.parameters[0] ?? DYN
    if (!isDyn(type)) this.mismatch(expr, optionalOf(type), type)
    return type
  }

  /** A type for both; values of several types are told of when the types of all are known. */
  private join(all: Type | undefined, one: Type): Type {
    if (all === undefined) return one
    if (this.known.assignable([all], [one])) return mostGeneral(all, one)
    return DYN
  }

  private list(items: readonly Expr[], optional: ReadonlySet<number>): Type {
    let type: Type | undefined
    for (const [i, item] of items.entries()) {
      type = this.join(type, this.element(item, optional.has(i)))
    }
    return listOf(type ?? this.known.fresh())
  }

  private map(entries: readonly Entry[]): Type {
    let keys: Type | undefined
    let values: Type | undefined
    for (const { key, value, optional } of entries) {
      keys = this.join(keys, this.check(key))
      values = this.join(values, this.element(value, optional))
    }
    return mapOf(keys ?? this.known.fresh(), values ?? this.known.fresh())
  }

  private comprehension(expr: Comprehension): Type {
    const range = this.known.resolve(this.check(expr.range))
    const accumulated = this.check(expr.start)
    this.scopes.push(new Map([[expr.accumulator, accumulated]]))
    const [first, second] = this.variables(expr, range)
    const inner = new Map([[expr.variable, first]])
    if (expr.second !== undefined) inner.set(expr.second, second)
    this.scopes.push(inner)
    this.expect(expr.condition, BOOL, this.check(expr.condition))
    this.expect(expr.step, accumulated, this.check(expr.step))
    this.scopes.pop()
    const result = this.check(expr.result)
    this.scopes.pop()
    return this.known.resolve(result)
  }

  private variables({ range: expr, second }: Comprehension, range: Type): [Type, Type] {
    const [first = DYN, other = DYN] = range.parameters
    switch (range.kind) {
      case 'list':
        return second === undefined ? [first, first] : [INT, first]
      case 'map':
        return [first, other]
      case 'dyn':
      case 'error':
      case 'parameter':
        this.known.assignable([DYN], [range])
        return [DYN, DYN]
      default: {
        const kinds = 'cannot be range of a comprehension (must be list, map, or dynamic)'
        this.issue(expr.at, `expression of type '${formatType(range)}' ${kinds}`)
        return [ERROR, ERROR]
      }
    }
  }
}

const plain = (name: string): string => (name.startsWith('.') ? name.slice(1) : name)

function instantiate(type: Type, fresh: ReadonlyMap<string, Type>): Type {
  if (type.kind === 'parameter') return fresh.get(type.name) ?? type
  if (type.parameters.length === 0) return type
  return withParameters(
    type,
    type.parameters.map((one) => instantiate(one, fresh)),
  )
}

function literalType({ value }: Literal): Type {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'boolean':
      return BOOL
    case 'bigint':
      return INT
    case 'number':
      return DOUBLE
    default:
      if (value === null) return NULL
      return isUintConstant(value) ? UINT : BYTES
  }
}
