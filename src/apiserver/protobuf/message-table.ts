import { definitionOf, type Field, nameOfReference } from '#apiserver/builtin/table.ts'
import { messages } from './generated/messages.ts'

/** Where a field of a built-in type is in its protobuf message. */
export interface Place {
  field: Field
  /** Its number; before it, those of the messages that JSON has no name for, the outermost first. */
  path: readonly number[]
  /** A list that is a message of its own, with the items in it. */
  isWrapped: boolean
}

/**
 * The places of all fields that the message of a built-in type has. Its line has a number for each field of the
 * definition, in the order of those: `9.Volume 1 2.3 -`.
 */
export function placesOf(definition: string): Place[] {
  lines ??= new Map(messages.split('\n').map(entryOf))
  const numbers = lines.get(definition)
  if (numbers === undefined) throw new Error(`there is no protobuf message for ${definition}`)
  const { fields } = definitionOf(definition)
  return numbers.flatMap((number, index) => placeOf(number, fields[index]) ?? [])
}

let lines: Map<string, string[]> | undefined

function entryOf(line: string): [string, string[]] {
  const [reference = '', ...numbers] = line.split(' ')
  return [nameOfReference(reference), numbers]
}

function placeOf(number: string, field: Field | undefined): Place | undefined {
  if (number === '-' || field === undefined) return undefined
  const isWrapped = number.endsWith('*')
  return { field, path: number.replace('*', '').split('.').map(Number), isWrapped }
}
