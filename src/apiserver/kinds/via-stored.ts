import { type Fields, textAt } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'
import type { BuiltinBehaviour } from './kind-behaviour.ts'

type Conversion = NonNullable<Resource['conversion']>

/**
 * Lets a behaviour that knows objects as they are kept work on those of one served version too. Objects of
 * any other version are passed on as they are.
 */
export function viaStored(
  behaviour: BuiltinBehaviour,
  servedVersion: string,
  { toStored, fromStored }: Conversion,
): BuiltinBehaviour {
  const isServed = (object: Fields): boolean => textAt(object, 'apiVersion') === servedVersion
  const stored = (object: Fields): Fields => (isServed(object) ? toStored(object) : object)
  const change = (object: Fields, act: (stored: Fields) => void): void => {
    const converted = stored(object)
    act(converted)
    if (converted !== object) replace(object, fromStored(converted))
  }
  const { setDefaults, prepareCreate, prepareUpdate, validate, selectableFields } = behaviour
  return {
    ...behaviour,
    setDefaults: (object) => change(object, (one) => setDefaults?.(one)),
    prepareCreate: (object, context) => change(object, (one) => prepareCreate?.(one, context)),
    prepareUpdate: (object, old, context) =>
      change(object, (one) => prepareUpdate?.(one, stored(old), context)),
    validate: (object, old, context) =>
      validate?.(stored(object), old && stored(old), context) ?? [],
    countsAsChange: (object, old) => behaviour.countsAsChange(stored(object), stored(old)),
    ...(selectableFields && { selectableFields: mapValues(selectableFields, stored) }),
    ...(behaviour.printer && {
      printer: {
        columns: behaviour.printer.columns,
        cells: (object, now) => behaviour.printer?.cells(stored(object), now) ?? [],
      },
    }),
  }
}

function mapValues(
  selectors: Readonly<Record<string, (object: Fields) => string>>,
  stored: (object: Fields) => Fields,
): Record<string, (object: Fields) => string> {
  return Object.fromEntries(
    Object.entries(selectors).map(([key, select]) => [key, (object) => select(stored(object))]),
  )
}

function replace(object: Fields, by: Fields): void {
  for (const key of Object.keys(object)) delete object[key]
  Object.assign(object, by)
}
