import type { KubeObject } from '#api/meta.ts'
import { ownerWords } from './own.ts'
import type { Taken } from './world.ts'

export const takenBy = (object: KubeObject): Taken => ({
  what: `${object.kind} ${object.metadata.name}`,
  owner: ownerWords(object),
})

/** Who has what, in a part of a sentence. */
export const takenWords = (taken: readonly Taken[]): string =>
  taken
    .map(({ what, owner }) =>
      owner === undefined
        ? `${what} is there, and was not made by this cluster`
        : `${what} is there, and belongs to ${owner}`,
    )
    .join('; ')
