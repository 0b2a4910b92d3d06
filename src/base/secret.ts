const STARS = '***'

/**
 * A value that must not be seen: however it is printed, logged, thrown or serialised, it shows as
 * stars. Opening it is a deliberate act that a reviewer can search for.
 */
export class Secret<Value> {
  readonly #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  /** The value itself, for the one call that needs it. */
  open(): Value {
    return this.#value
  }

  toString(): string {
    return STARS
  }

  toJSON(): string {
    return STARS
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return STARS
  }
}
