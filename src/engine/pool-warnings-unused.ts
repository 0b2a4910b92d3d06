import { NOT_SUPPORTED_YET } from './not-supported-yet.ts'
import { type PoolInput, parentOf, placedEntries } from './pool-input.ts'

/** What a spec says and nobody acts on. */
export interface UnusedWarning {
  reason: typeof NOT_SUPPORTED_YET | 'MetaNotWritten'
  message: string
}

/** What a spec says without any effect: nothing of it is passed over in silence. */
export const unusedWarnings = (pool: PoolInput): UnusedWarning[] => [
  ...pxeWarnings(pool),
  ...metaWarnings(pool),
]

function pxeWarnings(pool: PoolInput): UnusedWarning[] {
  const places = placedEntries(pool)
    .filter(({ entry }) => entry.pxeClientSpec !== undefined)
    .map(({ place }) => `${place}.pxeClientSpec`)
  const [first] = places
  if (first === undefined) return []
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : ''
  return [
    {
      reason: NOT_SUPPORTED_YET,
      message: `${first}${more} has no effect yet: machines are not booted over the network. Boot them otherwise`,
    },
  ]
}

function metaWarnings(pool: PoolInput): UnusedWarning[] {
  const { meta } = parentOf(pool).spec?.metalSpec?.machineSpec ?? {}
  if (meta === undefined || pool.isMetaWritten !== false) return []
  return [
    {
      reason: 'MetaNotWritten',
      message:
        'spec.metalSpec.machineSpec.meta has no effect: this operator is set not to write META. Set ENABLE_META_KEY=true for it, or remove the field',
    },
  ]
}
