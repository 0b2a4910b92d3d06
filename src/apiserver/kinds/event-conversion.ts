import type { Fields } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'

/** What `events.k8s.io/v1` calls a field, and what it is kept as. */
const names: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
]

/** Between events of `events.k8s.io/v1` and those of `v1`, which is how they are kept. */
export const eventConversion: NonNullable<Resource['conversion']> = {
  toStored: (object) => ({
    reportingComponent: '',
    reportingInstance: '',
    ...renamed(object, new Map(names)),
    apiVersion: 'v1',
  }),
  fromStored(object) {
    const served = renamed(object, new Map(names.map(([one, stored]) => [stored, one])))
    // Only events of the old sort say it when nobody is named.
    for (const key of ['reportingController', 'reportingInstance'])
      if (served[key] === '') delete served[key]
    return { ...served, apiVersion: 'events.k8s.io/v1' }
  },
}

function renamed(object: Fields, names: ReadonlyMap<string, string>): Fields {
  const result: Fields = {}
  for (const key of Object.keys(object)) result[names.get(key) ?? key] = object[key]
  return result
}
