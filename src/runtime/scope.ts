import type { Kind } from '#api/meta.ts'
import type { Watches } from './watches.ts'

/**
 * Which resources get passes, whatever wakes them, by `namespace/name`. It is asked when a pass begins, by the caches as they are
 * then: who comes into it is let in by the change that wakes it.
 */
export type Scope = (kind: Kind, key: string, watches: Pick<Watches, 'get'>) => boolean
