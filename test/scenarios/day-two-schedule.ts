import { seededRandom } from '#simulator/random.ts'
import { faultOf, type PlannedFault } from './soak-schedule.ts'

/** All that somebody may come to want of a cluster that runs. */
export const EDITS = [
  'a worker more',
  'a worker less',
  'another worker',
  'another value',
  'another value, by a reboot',
  'another label',
  'another Talos',
  'another Kubernetes',
  'a pause',
] as const

export type EditName = (typeof EDITS)[number]

export interface PlannedEdit {
  readonly is: EditName
  /** How long after it the next one comes: it may be in the middle of this one. */
  readonly seconds: number
  /** What goes wrong meanwhile, by calls. */
  readonly faults: readonly PlannedFault[]
}

/** What is asked of a cluster that runs, one after the other, and what goes wrong meanwhile. */
export interface DayTwo {
  readonly seed: number
  readonly controlPlanes: number
  readonly edits: readonly PlannedEdit[]
}

const LARGE_SHARE = 0.15
const MOST_EDITS = 4
const MOST_FAULTS = 2
const LONGEST_SECONDS = 400
const CALLS = 40

/** The same for the same seed, on every machine and for ever. */
export function dayTwoOf(seed: number): DayTwo {
  const random = seededRandom(seed)
  // The first numbers of neighbours are alike.
  for (let at = 0; at < 8; at++) random()
  const controlPlanes = random() < LARGE_SHARE ? 3 : 1
  const upTo = (most: number): number => Math.floor(random() * (most + 1))
  const edits = Array.from({ length: 1 + upTo(MOST_EDITS - 1) }, () => ({
    is: EDITS[Math.floor(random() * EDITS.length)] ?? EDITS[0],
    seconds: Math.floor(random() ** 2 * LONGEST_SECONDS),
    faults: Array.from({ length: upTo(MOST_FAULTS) }, () =>
      faultOf(random, { machines: controlPlanes + 1, within: CALLS }),
    ).sort((a, b) => a.at - b.at),
  }))
  return { seed, controlPlanes, edits }
}
