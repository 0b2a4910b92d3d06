import type { Fields } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'

/** What a write came to: the object in the version that was asked for, or its bytes as stored. */
export type Written = { outcome: 'created' | 'changed' | 'removed' } & (
  | { object: Fields; bytes?: undefined }
  | { bytes: Buffer; object?: undefined }
)

/** An object as it is stored, from the version that is served. */
export const asStored = ({ conversion }: Resource, object: Fields): Fields =>
  conversion ? conversion.toStored(object) : object
