import type { ConfigPlace } from '#machineconfig/secrets/config-place.ts'

/** A document of a kind; the place of one that is not there leads nowhere. */
export type DocumentOf = (kind: string) => ConfigPlace
