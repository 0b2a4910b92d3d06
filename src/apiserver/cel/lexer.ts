import type { Issue } from './source.ts'

export type TokenKind =
  | 'sign'
  | 'ident'
  | 'escaped'
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'bytes'
  | 'end'

export interface Token {
  kind: TokenKind
  text: string
  at: number
}

interface Tokens {
  tokens: Token[]
  issues: Issue[]
}

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7]{2}|[xX][\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})`

const RULES: readonly (readonly [TokenKind | undefined, RegExp])[] = [
  [undefined, /[\t \r\n\f]+|\/\/[^\n]*/y],
  ['sign', /==|!=|<=|>=|&&|\|\||[[\]{}().,\-!?:+*/%<>]/y],
  ['float', /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y],
  ['int', /0x[\da-fA-F]+|\d+/y],
  ['uint', /(?:0x[\da-fA-F]+|\d+)[uU]/y],
  ['ident', /[A-Za-z_]\w*/y],
  ['escaped', /`[\w./ -]+`/y],
  ['string', stringRule('')],
  ['bytes', stringRule('[bB]')],
]

function stringRule(prefix: string): RegExp {
  const long = ['"""', "'''"].flatMap((quote) => [
    `${quote}(?:${ESCAPE}|[^\\\\])*?${quote}`,
    `[rR]${quote}[\\s\\S]*?${quote}`,
  ])
  const short = ['"', "'"].flatMap((quote) => [
    `${quote}(?:${ESCAPE}|[^\\\\${quote}\\n\\r])*${quote}`,
    `[rR]${quote}[^${quote}\\n\\r]*${quote}`,
  ])
  return new RegExp(`${prefix}(?:${[...long, ...short].join('|')})`, 'yu')
}

/** What a text consists of. What is no token is left out and told as an issue. */
export function tokensOf(text: string): Tokens {
  const tokens: Token[] = []
  const issues: Issue[] = []
  const characterAt = characterCounter(text)
  let index = 0
  while (index < text.length) {
    const found = longestAt(text, index)
    if (found === undefined) {
      const end = failureAt(text, index)
      issues.push({
        at: characterAt(index),
        message: `Syntax error: token recognition error at: '${shown(text.slice(index, end))}'`,
      })
      index = end
      continue
    }
    if (found.kind !== undefined) {
      tokens.push({ kind: found.kind, text: found.text, at: characterAt(index) })
    }
    index += found.text.length
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: characterAt(text.length) })
  return { tokens, issues }
}

const shown = (text: string): string =>
  text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')

/** From places in UTF-16 to places in characters, asked for in rising order. */
function characterCounter(text: string): (index: number) => number {
  let index = 0
  let characters = 0
  return (wanted) => {
    while (index < wanted) {
      index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
      characters += 1
    }
    return characters
  }
}

function longestAt(
  text: string,
  index: number,
): { kind: TokenKind | undefined; text: string } | undefined {
  let best: { kind: TokenKind | undefined; text: string } | undefined
  for (const [kind, rule] of RULES) {
    rule.lastIndex = index
    const match = rule.exec(text)?.[0]
    if (match !== undefined && match.length > (best?.text.length ?? 0)) best = { kind, text: match }
  }
  return best?.kind === 'ident' && best.text === 'in' ? { kind: 'sign', text: 'in' } : best
}

const INSIDE_QUOTES: Readonly<Record<string, RegExp>> = {
  '"': new RegExp(`"(?:${ESCAPE}|[^\\\\"\\n\\r])*(?:\\\\[xXuU0-3][\\da-fA-F]*|\\\\)?`, 'yu'),
  "'": new RegExp(`'(?:${ESCAPE}|[^\\\\'\\n\\r])*(?:\\\\[xXuU0-3][\\da-fA-F]*|\\\\)?`, 'yu'),
  '`': /`[\w./ -]*/y,
}

/** Just behind the character with which it is clear that no token begins here. */
function failureAt(text: string, index: number): number {
  const first = text[index] ?? ''
  const inside = INSIDE_QUOTES[first]
  let last = index
  if (inside !== undefined) {
    inside.lastIndex = index
    last = index + (inside.exec(text)?.[0].length ?? 0)
  } else if (first === '=' || first === '&' || first === '|') {
    last = index + 1
  }
  const width = (text.codePointAt(last) ?? 0) > 0xffff ? 2 : 1
  return Math.min(last + width, text.length)
}
