import type { Fields } from '#apiserver/objects.ts'
import type { Chance } from './chance.ts'

/** A kind that histories are played with. */
export interface Played {
  kind: string
  /** In which it is served. */
  versions: readonly string[]
  plural: string
  /** What an object needs to be valid. */
  base: Fields
  /** Some of what it may have besides. */
  part(chance: Chance): Fields
  /** Some of a status, if the kind has one of its own. */
  status?(chance: Chance): Fields
  /** Knows strategic merge patches. */
  isBuiltIn?: true
}
