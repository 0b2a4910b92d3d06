import { documents, types } from './generated/shapes.ts'

// A line of documents: kind, type, `named`, `@` and the first minor version that has it.
// A line of types is one of
//   name{field;field}    a struct; a field: name, `?` (omitted when empty) or `~` (when nil), type, then
//                        `!` (replaced by patches), `@12` (since v1.12), `<13=type` (its type before v1.13)
//   name=type            another name for a type
//   name|word word@14    an enumeration; after `||` none of the words is Go's zero
//   name                 what reads itself in its own way

/** A kind of document as the table has it. */
export interface DocumentLine {
  readonly kind: string
  readonly type: string
  readonly named: boolean
  readonly since: number
}

/** A type as the table has it; what has none of the parts reads itself in its own way. */
export interface TypeLine {
  readonly fields?: readonly FieldText[]
  readonly of?: string
  readonly values?: ReadonlyMap<string, number>
  readonly hasZero?: boolean
}

export interface FieldText {
  readonly name: string
  readonly type: string
  readonly omit: 'never' | 'empty' | 'nil'
  readonly replaced: boolean
  readonly since: number
  readonly before?: { readonly until: number; readonly type: string }
}

const FIRST = 5

/** Every kind of document, the legacy one included. */
export const documentLines = (): DocumentLine[] =>
  documents.split('\n').map((line) => {
    const [kind = '', type = '', ...marks] = line.split(' ')
    return { kind, type, named: marks.includes('named'), since: sinceIn(marks) }
  })

/** Every type by its Go name. */
export function typeLines(): Map<string, TypeLine> {
  return new Map(
    types.split('\n').map((line) => {
      const name = /^[\w.]+/.exec(line)?.[0] ?? ''
      return [name, typeLine(line.slice(name.length))]
    }),
  )
}

function typeLine(text: string): TypeLine {
  const rest = text.slice(1)
  if (text.startsWith('=')) return { of: rest }
  if (text.startsWith('|')) return enumLine(rest)
  if (!text.startsWith('{')) return {}
  return { fields: rest.slice(0, -1).split(';').filter(Boolean).map(fieldOf) }
}

function enumLine(text: string): TypeLine {
  const words = text.replace('|', '').split(' ')
  return { values: new Map(words.map(enumValueOf)), hasZero: !text.startsWith('|') }
}

function enumValueOf(word: string): [string, number] {
  const [value = '', since] = word.split('@')
  return [value, Number(since ?? FIRST)]
}

const OMISSIONS = { '?': 'empty', '~': 'nil', '': 'never' } as const

function fieldOf(text: string): FieldText {
  const [label = '', type = '', ...marks] = text.split(' ')
  const [, name = label, mark = ''] = /^(.*?)([?~]?)$/.exec(label) ?? []
  const [, below, old] = /<(\d+)=(\S+)/.exec(text) ?? []
  return {
    name,
    type,
    omit: mark === '?' || mark === '~' ? OMISSIONS[mark] : OMISSIONS[''],
    replaced: marks.includes('!'),
    since: sinceIn(marks),
    ...(old !== undefined && { before: { until: Number(below) - 1, type: old } }),
  }
}

function sinceIn(marks: readonly string[]): number {
  return Number(marks.find((mark) => mark.startsWith('@'))?.slice(1) ?? FIRST)
}
