import {
  DYN,
  isDyn,
  isDynOrError,
  isExactly,
  listOf,
  mapOf,
  parameter,
  type Type,
  typeOf,
} from './types.ts'

// Types can double in size with each call, so that a short expression would take for ever.
const MOST_STEPS = 500_000

/** Thrown when types are so large that it would take too long to compare them. */
export class TypesTooLarge extends Error {}

/** What is known about the type parameters of one expression, gathered while its types are judged. */
export class Substitution {
  private readonly known = new Map<string, Type>()
  /** What was known before of what was learned since the last question. */
  private readonly before: (readonly [string, Type | undefined])[] = []
  private count = 0
  private stepsLeft = MOST_STEPS

  /** Says that all is learned; what is known can be told without end. */
  close(): void {
    this.stepsLeft = Number.POSITIVE_INFINITY
  }

  fresh(): Type {
    this.count += 1
    return parameter(`_var${this.count - 1}`)
  }

  /** Whether values of the one types can be where the others are wanted; if not, nothing is learned. */
  assignable(from: readonly Type[], to: readonly Type[]): boolean {
    this.before.length = 0
    if (this.allAssignable(from, to)) return true
    for (const [name, type] of this.before.reverse()) {
      if (type === undefined) this.known.delete(name)
      else this.known.set(name, type)
    }
    return false
  }

  private learn(variable: Type, type: Type): void {
    this.before.push([variable.name, this.known.get(variable.name)])
    this.known.set(variable.name, type)
  }

  private step(): void {
    this.stepsLeft -= 1
    if (this.stepsLeft < 0) throw new TypesTooLarge()
  }

  /** A type with all that is known put in, and `dyn` for the rest if `final`. */
  resolve(type: Type, final = false): Type {
    this.step()
    const known = type.kind === 'parameter' ? this.known.get(type.name) : undefined
    if (known !== undefined) return this.resolve(known, final)
    if (type.kind === 'parameter') return final ? DYN : type
    if (type.parameters.length === 0) return type
    return withParameters(
      type,
      type.parameters.map((one) => this.resolve(one, final)),
    )
  }

  private allAssignable(from: readonly Type[], to: readonly Type[]): boolean {
    return (
      from.length === to.length &&
      from.every((one, i) => {
        const other = to[i]
        return other !== undefined && this.isAssignable(one, other)
      })
    )
  }

  private isAssignable(from: Type, to: Type): boolean {
    this.step()
    if (to.kind === 'parameter') {
      const { valid, known } = this.substitutes(from, to)
      if (valid || known) return valid
    }
    if (from.kind === 'parameter') return this.substitutes(to, from).valid
    if (isDynOrError(from) || isDynOrError(to)) return true
    if (from.kind === 'null') return isNullable(to)
    if (to.kind === 'null') return isNullable(from)
    if (from.kind === 'type') return to.kind === 'type'
    return (
      from.kind === to.kind &&
      from.name === to.name &&
      this.allAssignable(from.parameters, to.parameters)
    )
  }

  private substitutes(type: Type, variable: Type): { valid: boolean; known: boolean } {
    if (isExactly(type, variable)) return { valid: true, known: true }
    const current = this.known.get(variable.name)
    if (current === undefined) {
      const valid = this.isFreeOf(variable, type)
      if (valid) this.learn(variable, type)
      return { valid, known: false }
    }
    if (isExactly(type, current)) return { valid: true, known: true }
    if (!this.isAssignable(type, current)) return { valid: false, known: true }
    const general = mostGeneral(type, current)
    if (this.isFreeOf(variable, general)) this.learn(variable, general)
    return { valid: true, known: true }
  }

  private isFreeOf(variable: Type, within: Type): boolean {
    this.step()
    if (isExactly(variable, within)) return false
    if (within.kind === 'parameter') {
      const known = this.known.get(within.name)
      return known === undefined || this.isFreeOf(variable, known)
    }
    return within.parameters.every((one) => this.isFreeOf(variable, one))
  }
}

/** The same type with other parameters. */
export function withParameters(type: Type, parameters: readonly Type[]): Type {
  const [first = DYN, second = DYN] = parameters
  switch (type.kind) {
    case 'list':
      return listOf(first)
    case 'map':
      return mapOf(first, second)
    case 'type':
      return typeOf(first)
    default:
      return { ...type, parameters }
  }
}

const NULLABLE = new Set(['opaque', 'struct', 'duration', 'timestamp', 'null'])
const isNullable = (type: Type): boolean => NULLABLE.has(type.kind)

/** The wider of two types that go together. */
export const mostGeneral = (a: Type, b: Type): Type => (isEqualOrWider(a, b) ? a : b)

function isEqualOrWider(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'parameter') return true
  if (isDyn(b) || b.kind === 'parameter' || a.kind !== b.kind) return false
  if (a.kind === 'type') return true
  return (
    a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((one, i) => isEqualOrWider(one, b.parameters[i] ?? DYN))
  )
}
