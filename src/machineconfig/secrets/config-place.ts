import type { Value } from '#machineconfig/document.ts'

/** A place in a document, from which one goes on by names. What is absent leads nowhere. */
export class ConfigPlace {
  readonly #value: Value | undefined

  constructor(value: Value | undefined) {
    this.#value = value
  }

  /** The text at the end of a path; '' if there is none. */
  text(...path: readonly string[]): string {
    const { value } = this.at(...path)
    return typeof value === 'string' ? value : ''
  }

  /** What is at the end of a path. */
  at(...path: readonly string[]): ConfigPlace {
    let value = this.#value
    for (const name of path) value = fieldOf(value, name)
    return new ConfigPlace(value)
  }

  /** The places of the items, if it is a list. */
  get items(): ConfigPlace[] {
    return isList(this.#value) ? this.#value.map((item) => new ConfigPlace(item)) : []
  }

  get value(): Value | undefined {
    return this.#value
  }
}

function fieldOf(value: Value | undefined, name: string): Value | undefined {
  if (typeof value !== 'object' || value === null || isList(value)) return undefined
  return value[name]
}

const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value)
