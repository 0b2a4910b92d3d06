import type { ConfigDocument } from './document.ts'

/**
 * A whole machine configuration. It holds the keys of a cluster, so it does not print: `documents` is
 * the deliberate act of looking into it.
 */
export class MachineConfig {
  readonly #documents: readonly ConfigDocument[]

  constructor(documents: readonly ConfigDocument[]) {
    this.#documents = documents
  }

  get documents(): readonly ConfigDocument[] {
    return this.#documents
  }

  /** The document with `machine` and `cluster`, if there is one. */
  get legacy(): ConfigDocument | undefined {
    return this.#documents.find(({ kind }) => kind.kind === '')
  }

  toString(): string {
    const kinds = this.#documents.map(({ kind }) => kind.kind || 'v1alpha1')
    return `machine configuration (${kinds.join(', ') || 'empty'})`
  }

  toJSON(): string {
    return this.toString()
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }
}
