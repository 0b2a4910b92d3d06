import type { ConfigDocument } from '#machineconfig/document.ts'
import type { DeleteSelector } from '#machineconfig/read/delete-selectors.ts'

/** One thing that a strategic patch does. */
export type Step =
  | { readonly do: 'merge'; readonly document: ConfigDocument }
  | { readonly do: 'delete'; readonly selector: DeleteSelector }

/** One operation of RFC 6902, of which nothing is certain. */
export type Operation = Readonly<Record<string, unknown>>

export type PatchContent =
  | { readonly is: 'strategic'; readonly steps: readonly Step[] }
  | { readonly is: 'json'; readonly operations: readonly Operation[] }

/** A patch that was read. What it brings may be secret, so it does not print: only its name does. */
export class Patch {
  /** What errors call it: `configPatches[2]`, `@file.yaml`. */
  readonly name: string
  readonly #content: PatchContent

  constructor(name: string, content: PatchContent) {
    this.name = name
    this.#content = content
  }

  get content(): PatchContent {
    return this.#content
  }

  toString(): string {
    return `patch ${this.name}`
  }

  toJSON(): string {
    return this.toString()
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }
}
