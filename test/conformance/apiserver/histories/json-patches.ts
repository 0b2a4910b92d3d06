import { isFields } from '#apiserver/objects.ts'
import type { Chance } from './chance.ts'

interface Operation {
  op: string
  path: string
  from?: string
  value?: unknown
}

// Metadata that become something else cannot be read, and how often a wrong owner is told of depends on the kind.
const LEFT_ALONE = /^\/\w+$|\/ownerReferences\/\d+\//

/** Up to three operations at places that such an object may have. */
export function jsonPatchOf(object: unknown, chance: Chance): Operation[] {
  const places = [...placesIn(object, '')].filter(({ path }) => !LEFT_ALONE.test(path))
  if (places.length === 0) return []
  return Array.from({ length: 1 + chance.below(3) }, () => operationAt(places, chance))
}

const OPERATIONS = [
  'add',
  'add',
  'add',
  'add',
  'replace',
  'replace',
  'remove',
  'test',
  'copy',
  'move',
]

function operationAt(places: readonly Place[], chance: Chance): Operation {
  const op = chance.of(OPERATIONS)
  const place = chance.of(places)
  const { path, value } = place
  if (op === 'remove') return { op, path }
  if (op === 'copy' || op === 'move') {
    return { op, path, from: chance.of(places.filter((one) => areAlike(one, place))).path }
  }
  return { op, path, value }
}

/** Whether one may stand where the other does. What cannot be read at all is not what histories are about. */
const areAlike = (one: Place, other: Place): boolean =>
  typeof one.value === typeof other.value && parentOf(one) === parentOf(other)

const parentOf = ({ path }: Place): string => path.slice(0, path.lastIndexOf('/'))

interface Place {
  path: string
  value: unknown
}

function* placesIn(value: unknown, path: string): Iterable<Place> {
  if (path !== '') yield { path, value }
  if (Array.isArray(value)) {
    if (value.length > 0) yield { path: `${path}/-`, value: value[0] }
    for (const [index, item] of value.entries()) yield* placesIn(item, `${path}/${index}`)
  } else if (isFields(value)) {
    for (const [name, field] of Object.entries(value)) yield* placesIn(field, `${path}/${name}`)
  }
}
