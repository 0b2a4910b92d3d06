import { type CelType, DYN, fits, formatType, simpleType, UNKNOWN } from './cel-type.ts'
import type { Environment } from './environments.ts'
import { resultOf } from './signatures.ts'
import type { Issue } from './tokens.ts'

/** A part of an expression: its type and the place that errors about it name. */
export interface Part {
  readonly type: CelType
  readonly at: number
  /** Whether it is the selection of a field. */
  readonly isField?: boolean
}

/** A function, operator or method with its arguments; of a method the first is what it is called on. */
interface Call {
  readonly name: string
  readonly parts: readonly Part[]
  readonly at: number
  readonly isMethod?: boolean
}

const TYPE_NAMES = new Set(
  'bool int uint double string bytes list map null_type type dyn'.split(' '),
)

/** What the parts of an expression are, and what does not go together. */
export class Typing {
  readonly issues: Issue[] = []
  readonly environment: Environment
  readonly #scopes: { name: string; type: CelType }[] = []

  constructor(environment: Environment) {
    this.environment = environment
  }

  /** Tells when a part is not of the type that is wanted. */
  expect({ type, at }: Part, wanted: CelType): void {
    if (fits(wanted, type, new Map())) return
    const types = `expected type '${formatType(wanted)}' but found '${formatType(type)}'`
    this.issues.push({ at, message: types })
  }

  /** Reads with a variable that only this part knows. */
  within<T>(variable: { name: string; type: CelType }, read: () => T): T {
    this.#scopes.push(variable)
    const result = read()
    this.#scopes.pop()
    return result
  }

  variable(name: string, at: number): CelType {
    const type =
      this.#scopes.findLast((scope) => scope.name === name)?.type ??
      this.environment.variables.get(name) ??
      (TYPE_NAMES.has(name) ? { name: 'type', of: [simpleType(name)] } : undefined)
    if (type === undefined) this.#undeclared(name, at)
    return type ?? UNKNOWN
  }

  fieldOf(type: CelType, field: string, at: number): CelType {
    const [inner = UNKNOWN, value = UNKNOWN] = type.of
    if (type.fields !== undefined) {
      const known = type.fields.get(field)
      if (known === undefined) this.issues.push({ at, message: `undefined field '${field}'` })
      return known ?? UNKNOWN
    }
    if (type.name === 'map') return value
    if (type.name === 'optional_type') {
      return { name: type.name, of: [this.fieldOf(inner, field, at)] }
    }
    if (type.name === DYN.name || type.name === UNKNOWN.name) return type
    const message = `type '${formatType(type)}' does not support field selection`
    this.issues.push({ at, message })
    return UNKNOWN
  }

  called({ name, parts, at, isMethod = false }: Call): Part {
    const signatures = this.environment.functions.get(name)
    const given = parts.map(({ type }) => type)
    const type = signatures && resultOf(signatures, given, isMethod)
    if (type !== undefined) return { type, at }
    const [target, ...rest] = given.map(formatType)
    if (signatures === undefined) this.#undeclared(name, at)
    else if (!given.includes(UNKNOWN)) {
      const types = isMethod
        ? `${target}.(${rest.join(', ')})`
        : `(${[target, ...rest].join(', ')})`
      const message = `found no matching overload for '${name}' applied to '${types}'`
      this.issues.push({ at, message })
    }
    return { type: UNKNOWN, at }
  }

  #undeclared(name: string, at: number): void {
    this.issues.push({ at, message: `undeclared reference to '${name}' (in container '')` })
  }
}
