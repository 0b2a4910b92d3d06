interface Place {
  /** Where it is, counted from 1. */
  readonly line: number
  /** Who found it: whoever looks at letters, at what is built of them, or at what that stands for. */
  readonly by: 'scanner' | 'parser' | 'composer'
  /** The name of the anchor that it is about. */
  readonly anchor?: string | undefined
}

/** A text that is no YAML. The message says where, and shows none of it. */
export class YamlError extends Error {
  override readonly name = 'YamlError'
  /** The reason alone. */
  readonly why: string
  readonly place: Place | undefined

  constructor(message: string, why: string, place?: Place) {
    super(`yaml: ${message}`)
    this.why = why
    this.place = place
  }
}

/** A text in which there is more than its reader takes. */
export class YamlTooLarge extends YamlError {
  constructor(why: string) {
    super(why, why)
  }
}
