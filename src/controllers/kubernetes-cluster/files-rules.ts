import { no, type Verdict, yes } from '#runtime/plan.ts'
import type { Step, World } from './world.ts'

// On a disk behind a network each file takes its time, and a pass is not to take long.
const MOST_AT_ONCE = 50

/** As many files as one step takes. The rest has its turn in the next pass, which follows at once. */
export const inOneStep = (names: readonly string[]): string[] => names.slice(0, MOST_AT_ONCE)

/** What makes the files those that are wanted. A file outlives its Machine by a moment, never the other way round. */
export function fileSteps({ files, machines }: World, now: Date): Step[] {
  const { stale, surplus, trouble } = files
  if (trouble && now < trouble.retryAt) return []
  const there = new Set(machines.map(({ metadata }) => `${metadata.name}.yaml`))
  const gone = surplus.filter((name) => !there.has(name))
  return [
    ...(stale.length > 0 ? [{ do: 'writeFiles' as const, files: inOneStep(stale) }] : []),
    ...(gone.length > 0 ? [{ do: 'removeFiles' as const, files: inOneStep(gone) }] : []),
  ]
}

/** What there is to say of the files, which no cluster needs. */
export function filesVerdict({ files: { stale, trouble } }: World): Verdict {
  if (trouble) return no('GenerationFailed', trouble.message)
  return inOneStep(stale).length < stale.length
    ? no('GenerationFailed', `not all manifests are written yet: ${MOST_AT_ONCE} are in each pass`)
    : yes('GenerationSucceeded', 'the manifest of every Machine is in the results folder')
}

/** Sooner than usual, if a file is to be tried again before. */
export const filesWakeAt = ({ files }: World, later: Date): Date =>
  files.trouble && files.trouble.retryAt < later ? files.trouble.retryAt : later
