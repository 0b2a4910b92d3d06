import type { Constant } from './ast.ts'
import type { TokenKind } from './lexer.ts'

/** What a backslash and a letter stand for. */
export const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

const ESCAPE =
  /\\(?:[xX](?<hex>[\da-fA-F]{2})|u(?<four>[\da-fA-F]{4})|U(?<eight>[\da-fA-F]{8})|(?<octal>[0-3][0-7]{2})|(?<other>[\s\S]))/gu

/** Inside of a quoted literal, and whether backslashes mean nothing there. */
function contentOf(quoted: string): { text: string; raw: boolean } {
  const raw = quoted.startsWith('r') || quoted.startsWith('R')
  const body = raw ? quoted.slice(1) : quoted
  const width = body.length >= 6 && /^("""|''')/.test(body) ? 3 : 1
  const text = body.slice(width, body.length - width)
  return { text: text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'), raw }
}

/** A text in pieces: as it stands, or the number of a character or byte that an escape stands for. */
function* piecesOf(text: string): Generator<string | { code: number; isUnicode: boolean }> {
  let last = 0
  for (const match of text.matchAll(ESCAPE)) {
    yield text.slice(last, match.index)
    last = match.index + match[0].length
    const { hex, four, eight, octal, other = '' } = match.groups ?? {}
    const digits = hex ?? four ?? eight ?? octal
    if (digits === undefined) yield SIMPLE_ESCAPES[other] ?? other
    else {
      const code = Number.parseInt(digits, octal === undefined ? 16 : 8)
      yield { code, isUnicode: hex === undefined && octal === undefined }
    }
  }
  yield text.slice(last)
}

/** What a string literal says; undefined where an escape stands for no character. */
function stringOf(quoted: string): string | undefined {
  const { text, raw } = contentOf(quoted)
  if (raw) return text
  let result = ''
  for (const piece of piecesOf(text)) {
    if (typeof piece === 'string') result += piece
    else if (!isCharacter(piece.code)) return undefined
    else result += String.fromCodePoint(piece.code)
  }
  return result
}

const isCharacter = (code: number): boolean =>
  code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)

/** What a bytes literal says; undefined for the escapes that only strings have. */
function bytesOf(quoted: string): Uint8Array | undefined {
  const { text, raw } = contentOf(quoted.slice(1))
  if (raw) return Buffer.from(text)
  const parts: Uint8Array[] = []
  for (const piece of piecesOf(text)) {
    if (typeof piece === 'string') parts.push(Buffer.from(piece))
    else if (piece.isUnicode) return undefined
    else parts.push(Uint8Array.of(piece.code))
  }
  return Buffer.concat(parts)
}

export const MIN_INT = -(2n ** 63n)
export const MAX_INT = 2n ** 63n - 1n
export const MAX_UINT = 2n ** 64n - 1n

function intOf(text: string, negative: boolean): bigint | undefined {
  const value = negative ? -BigInt(text) : BigInt(text)
  return value < MIN_INT || value > MAX_INT ? undefined : value
}

function uintOf(text: string): bigint | undefined {
  const value = BigInt(text.slice(0, -1))
  return value > MAX_UINT ? undefined : value
}

const PROBLEMS: Readonly<Record<string, string>> = {
  int: 'invalid int literal',
  uint: 'invalid uint literal',
  float: 'invalid double literal',
  string: 'invalid unicode code point',
}

type LiteralValue =
  | { value: Constant; problem?: undefined }
  | { value?: undefined; problem: string }

/** What a literal stands for, or what is wrong with it. */
export function literalOf(kind: TokenKind, text: string, negative: boolean): LiteralValue {
  const value = constantOf(kind, text, negative)
  if (value !== undefined) return { value }
  return { problem: PROBLEMS[kind] ?? 'unable to unescape string' }
}

function constantOf(kind: TokenKind, text: string, negative: boolean): Constant | undefined {
  switch (kind) {
    case 'int':
      return intOf(text, negative)
    case 'uint': {
      const uint = uintOf(text)
      return uint === undefined ? undefined : { uint }
    }
    case 'float': {
      const value = Number(negative ? `-${text}` : text)
      return Number.isFinite(value) ? value : undefined
    }
    case 'string':
      return stringOf(text)
    default:
      return bytesOf(text)
  }
}
