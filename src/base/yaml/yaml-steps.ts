import type { YamlNode } from './yaml-node.ts'

/** Reading that can be interrupted wherever it yields. */
export type YamlSteps<Result> = Generator<undefined, Result, undefined>

/** A node that has been read, or is still to be. Most are short, and steps take time. */
export type Reading = YamlNode | YamlSteps<YamlNode>

/** The node of a reading: `isRead(it) ? it : yield* it`. */
export const isRead = (reading: Reading): reading is YamlNode => 'kind' in reading

/** A text that is put together of very many parts, and is in one piece when it is asked for. */
export class TextOfParts {
  #text = ''
  #parts: string[] = []

  add(part: string): void {
    if (this.#parts.push(part) >= MOST_PARTS) this.#join()
  }

  get text(): string {
    this.#join()
    return this.#text
  }

  #join(): void {
    this.#text += this.#parts.join('')
    this.#parts = []
  }
}

// What is added one by one is put together later, all at once, by whoever looks into it first.
const MOST_PARTS = 1024
