import { no, type Verdict, yes } from '#runtime/plan.ts'
import type { Step, World } from './world.ts'

/** What makes the files those that are wanted. A file outlives its Machine by a moment, never the other way round. */
export function fileSteps({ files, machines }: World, now: Date): Step[] {
  const { stale, surplus, trouble } = files
  if (trouble && now < trouble.retryAt) return []
  const there = new Set(machines.map(({ metadata }) => `${metadata.name}.yaml`))
  const gone = surplus.filter((name) => !there.has(name))
  return [
    ...(stale.length > 0 ? [{ do: 'writeFiles' as const, files: stale }] : []),
    ...(gone.length > 0 ? [{ do: 'removeFiles' as const, files: gone }] : []),
  ]
}

/** What there is to say of the files, which no cluster needs. */
export const filesVerdict = ({ files }: World): Verdict =>
  files.trouble
    ? no('GenerationFailed', files.trouble.message)
    : yes('GenerationSucceeded', 'the manifest of every Machine is in the results folder')

/** Sooner than usual, if a file is to be tried again before. */
export const filesWakeAt = ({ files }: World, later: Date): Date =>
  files.trouble && files.trouble.retryAt < later ? files.trouble.retryAt : later
