import { canonicalTime, timeProblem } from '#apiserver/builtin/go-time.ts'
import { jsonText, shownNumber } from '#apiserver/field-error.ts'
import { ageOf } from '#apiserver/metadata/age.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import type { Column, Printer } from '#apiserver/resource.ts'
import { type JsonPath, jsonPath } from './json-path.ts'

const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  priority: 0,
}

const ageColumn: Fields = {
  name: 'Age',
  type: 'date',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  jsonPath: '.metadata.creationTimestamp',
}

/** The table of a custom kind: names, and the columns of its CRD, or ages if it has none. */
export function printerOf(columns: readonly Fields[]): Printer {
  const read = readable(columns.length > 0 ? columns : [ageColumn])
  return {
    columns: [nameColumn, ...read.map(({ column }) => column)],
    cells: (object, now) => [
      textAt(fieldsAt(object, 'metadata'), 'name') ?? '',
      ...read.map(({ column, find }) => cellOf(column.type, first(find, object), now)),
    ],
  }
}

interface ReadColumn {
  column: Column
  find: JsonPath
}

/** Kubernetes shows the columns before the first whose path it cannot read. */
function readable(columns: readonly Fields[]): ReadColumn[] {
  const read: ReadColumn[] = []
  for (const fields of columns) {
    const path = textAt(fields, 'jsonPath') ?? ''
    try {
      read.push({ column: columnOf(fields, path), find: jsonPath(path) })
    } catch {
      return read
    }
  }
  return read
}

const columnOf = (fields: Fields, path: string): Column => ({
  name: textAt(fields, 'name') ?? '',
  type: textAt(fields, 'type') ?? '',
  format: textAt(fields, 'format') ?? '',
  description:
    textAt(fields, 'description') ??
    `Custom resource definition column (in JSONPath format): ${path}`,
  priority: typeof fields.priority === 'number' ? fields.priority : 0,
})

function first(find: JsonPath, object: Fields): { value: unknown } | undefined {
  try {
    const [...found] = find(object)
    return found.length === 0 ? undefined : { value: found[0] }
  } catch {
    return undefined
  }
}

function cellOf(type: string, found: { value: unknown } | undefined, now: Date): unknown {
  if (!found) return null
  const { value } = found
  if (type === 'string') return value === null ? '<no value>' : printed(value)
  if (type === 'integer') return typeof value === 'number' ? Math.trunc(value) : null
  if (type === 'date') return typeof value === 'string' ? dateCell(value, now) : null
  return typeof value === type ? value : null
}

/** A value as Go prints it; what has parts as JSON. */
export function printed(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? shownNumber(value) : jsonText(value)
}

function dateCell(text: string, now: Date): string {
  if (text === '' || text === 'null') return '<unknown>'
  if (timeProblem(text) !== undefined) return '<invalid>'
  // Go reads more than JavaScript does: an hour with one digit, a comma before the fraction.
  return ageOf(Number.isNaN(Date.parse(text)) ? canonicalTime(text) : text, now)
}
