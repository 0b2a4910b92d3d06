import type { Machine } from '#api/machine.ts'
import type { Decision } from '#controllers/machine/decision.ts'
import type { Step, World } from '#controllers/machine/world.ts'
import { IMAGE_PULL_FAILED } from '#engine/standstill.ts'
import { no } from '#runtime/plan.ts'
import { takingPodsAgain } from './disruption.ts'

// A registry that does not answer is not asked all the time.
const PULL_AGAIN_MS = 60_000

interface Fetch {
  now: Date
  /** What the long call is known by. */
  call: string
  /** The images, in words. */
  names: string
  /** What begins it. */
  step: Step
  /** What is said while it is under way. */
  meanwhile: (what: string) => Decision
  /** What a user may have got wrong: `the version or the image`. */
  mistakable: string
}

/** What has to be waited for until a machine has images; undefined if it has them. Nothing is done to it before. */
export function fetchFirst(
  machine: Machine,
  world: World,
  { now, call, names, step, meanwhile, mistakable }: Fetch,
): Decision | undefined {
  const { long } = world
  const fetched = `${names} is fetched`
  if (long?.what !== call) return { steps: [step], ...meanwhile(fetched) }
  if (long.is === 'under way') return meanwhile(fetched)
  if (long.is === 'done') return undefined
  // It may have been drained for what was wanted before, and nobody knows when it can be taken down.
  const uncordon = takingPodsAgain(machine, world, now)
  const again = now.getTime() - long.at.getTime() >= PULL_AGAIN_MS ? [step] : []
  return {
    steps: uncordon.length > 0 ? uncordon : again,
    state: 'Available',
    ready: no(
      IMAGE_PULL_FAILED,
      `the machine cannot fetch ${names}, so nothing is done to it: ${long.failure.message}. It is tried again. Correct ${mistakable}, or mend what keeps the machine from its registry`,
    ),
    pace: 'soon',
  }
}
