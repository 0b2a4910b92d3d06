import type { KubeObject } from '#api/meta.ts'
import { keyOf } from '#kube/cache.ts'

/** By what the fleet knows the machine of a Machine: one of the same name that comes later has another. */
export const tagOf = (object: KubeObject): string => `${keyOf(object)} ${object.metadata.uid ?? ''}`

/** The `namespace/name` in a tag. */
export const keyIn = (tag: string): string => tag.split(' ')[0] ?? ''
