import type { ConfigDocument, Value, ValueMap } from '#machineconfig/document.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { REDACTED } from '#machineconfig/redacted.ts'
import type { Dictionary, Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { isList, isMap } from './compare-values.ts'
import { isSecretField, isTellingName, isTellingText } from './secret-fields.ts'

/** The same configuration without its secrets. Empty values stay empty: that there is none is no secret. */
export const redacted = ({ documents }: MachineConfig): MachineConfig =>
  new MachineConfig(documents.map(redactedDocument))

export const redactedDocument = (document: ConfigDocument): ConfigDocument => ({
  ...document,
  fields: redactedStruct(document.kind.shape, document.fields),
})

function redactedStruct(shape: Struct, value: ValueMap): ValueMap {
  const shown: Record<string, Value> = Object.create(null)
  for (const [name, part] of Object.entries(value)) {
    const field = shape.fields.get(name)
    if (field && isSecretField(shape, field)) shown[name] = hidden(part)
    else shown[name] = field ? redactedValue(field.shape, part) : hidden(part)
  }
  return shown
}

/** A value of that shape without its secrets. */
function redactedValue(shape: Shape, value: Value): Value {
  if (typeof value === 'string') return isTellingText(value) ? REDACTED : value
  if (shape.is === 'pointer') return redactedValue(shape.to, value)
  if (shape.is === 'free') return redactedFree(value)
  if (isList(value)) return redactedList(shape, value)
  if (!isMap(value)) return value
  if (shape.is === 'struct') return redactedStruct(shape, value)
  return shape.is === 'map' ? redactedMap(shape, value) : hidden(value)
}

function redactedList(shape: Shape, value: readonly Value[]): Value {
  if (shape.is === 'list') return value.map((item) => redactedValue(shape.of, item))
  // An argument may be given several times.
  return shape.is === 'leaf' ? value.map((item) => redactedValue(shape, item)) : hidden(value)
}

const redactedMap = ({ name, of }: Dictionary, value: ValueMap): Value =>
  mapped(value, (part, key) =>
    name === 'v1alpha1.Args' && isTellingName(key) ? hidden(part) : redactedValue(of, part),
  )

function redactedFree(value: Value): Value {
  if (typeof value === 'string') return isTellingText(value) ? REDACTED : value
  if (isList(value)) return value.map(redactedFree)
  if (!isMap(value)) return value
  const isVariable = typeof value.name === 'string' && Object.hasOwn(value, 'name')
  return mapped(value, (part, key) =>
    isTellingName(key) || (isVariable && key === 'value') ? hidden(part) : redactedFree(part),
  )
}

/** Keys stay, for they are names; of a list also its length. */
function hidden(value: Value): Value {
  if (isList(value)) return value.map(hidden)
  if (isMap(value)) return mapped(value, hidden)
  return value === '' || value === null ? value : REDACTED
}

function mapped(map: ValueMap, change: (part: Value, key: string) => Value): ValueMap {
  const changed: Record<string, Value> = Object.create(null)
  for (const [key, part] of Object.entries(map)) changed[key] = change(part, key)
  return changed
}
