/** How much a reader of YAML takes. */
export interface YamlLimits {
  /** Letters of the whole text. */
  readonly letters: number
  readonly lines: number
  readonly levels: number
  /** Keys and values, aliases unfolded. */
  readonly nodes: number
  /** Letters that aliases stand for. */
  readonly aliased: number
  /** Escapes and line breaks in quotes. */
  readonly escapes: number
}
