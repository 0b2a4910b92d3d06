import { seededRandom } from '#simulator/random.ts'
import { FAULTS, FAULTS_OF_CHANGES, faultOf, type PlannedFault } from './soak-schedule.ts'

/** All that somebody may come to want of a cluster that runs, whatever it is. */
const OF_ALL = [
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

const OF_CONTROL_PLANES = [
  'a control plane less',
  'a control plane more',
  'another control plane',
] as const

/**
 * Where the cluster comes from: `made` by the operator; `imported`, from somebody else; or `moving`: made, and its control
 * plane gets other machines, too, so that it is reached by an address of none of them. `busy`: made, of a Talos that installs
 * beside what runs, with workloads that have a budget; and more goes wrong with its machines.
 */
export const SORTS = ['made', 'moving', 'imported', 'busy'] as const
export type Sort = (typeof SORTS)[number]

export type EditName = (typeof OF_ALL)[number] | (typeof OF_CONTROL_PLANES)[number]

const AGAIN = ['another Talos', 'another value, by a reboot'] as const

// Rarely one of the others alone.
const FAULTS_OF_BUSY = [...FAULTS, ...FAULTS_OF_CHANGES, ...FAULTS_OF_CHANGES, ...FAULTS_OF_CHANGES]

export const EDITS: Readonly<Record<Sort, readonly EditName[]>> = {
  made: OF_ALL,
  // Twice: the others are in the days of the others.
  moving: [...OF_CONTROL_PLANES, ...OF_CONTROL_PLANES, ...OF_ALL],
  // Its configuration is given as a whole, and patches beside it count for nothing.
  imported: OF_ALL.filter((name) => !/value|label/.test(name)),
  // What takes machines down is what the rest of these days is about.
  busy: [...OF_ALL, ...AGAIN, ...AGAIN, ...AGAIN],
}

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
  readonly sort: Sort
  readonly controlPlanes: number
  readonly edits: readonly PlannedEdit[]
}

const LARGE_SHARE = 0.15
const MOST_EDITS = 4
const MOST_FAULTS = 2
const LONGEST_SECONDS = 400
const CALLS = 40
// So early that what strikes later is there by then.
const CALLS_OF_BUSY = 15

/** The same for the same seed and sort, on every machine and for ever. */
export function dayTwoOf(seed: number, sort: Sort = 'made'): DayTwo {
  const random = seededRandom(seed)
  // The first numbers of neighbours are alike.
  for (let at = 0; at < 8; at++) random()
  const isLarge = random() < LARGE_SHARE
  const controlPlanes = isLarge || sort === 'moving' ? 3 : 1
  const faults = {
    machines: controlPlanes + 1,
    ...(sort === 'busy' ? { within: CALLS_OF_BUSY, among: FAULTS_OF_BUSY } : { within: CALLS }),
  }
  const fewest = sort === 'busy' ? 1 : 0
  const upTo = (most: number): number => Math.floor(random() * (most + 1))
  const edits = Array.from({ length: 1 + upTo(MOST_EDITS - 1) }, () => ({
    is: EDITS[sort][Math.floor(random() * EDITS[sort].length)] ?? OF_ALL[0],
    seconds: Math.floor(random() ** 2 * LONGEST_SECONDS),
    faults: Array.from({ length: fewest + upTo(MOST_FAULTS) }, () => faultOf(random, faults)).sort(
      (a, b) => a.at - b.at,
    ),
  }))
  return { seed, sort, controlPlanes, edits }
}
