/** A word or sign of a label selector. */
export interface Token {
  type: 'word' | 'sign' | 'end'
  text: string
}

const TOKEN = /\s*(==|!=|[=!(),<>]|[^\s=!(),<>]+)/y

/** The tokens of a selector, which a parser takes one by one. */
export class LabelTokens {
  readonly #tokens: Token[] = []
  #at = 0

  constructor(text: string) {
    TOKEN.lastIndex = 0
    for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
      const [, word = ''] = match
      this.#tokens.push({ type: /^[=!(),<>]/.test(word) ? 'sign' : 'word', text: word })
    }
  }

  /** The next one, which stays. Past the end there are only ends. */
  peek(): Token {
    return this.#tokens[this.#at] ?? { type: 'end', text: '' }
  }

  take(): Token {
    const token = this.peek()
    this.#at += 1
    return token
  }

  /** Whether the next one is one of these signs. */
  isNext(...signs: string[]): boolean {
    const { type, text } = this.peek()
    return type === 'sign' && signs.includes(text)
  }
}
