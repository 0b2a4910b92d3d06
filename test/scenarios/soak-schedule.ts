import { seededRandom } from '#simulator/random.ts'

/** How many machines a cluster has. */
export interface Shape {
  readonly controlPlanes: number
  readonly workers: number
}

/** All that can go wrong. */
export const FAULTS = [
  'killed before',
  'killed after',
  'reply lost',
  'operator killed',
  'operator restarted',
  'events held',
  'event dropped',
  'watches cut',
  'watches expired',
  'old lists',
  'writes refused',
  'machine unreachable',
  'machine slow',
  'machine restarts',
  'machine loses replies',
  'machine refuses',
  'status wiped',
  'user edits',
] as const

/** And what can go wrong besides with machines that are changed. The stories of older seeds know nothing of it. */
export const FAULTS_OF_CHANGES = [
  'machine falls back',
  'registry refuses',
  'etcd down',
  'static pods fail',
  'machine dies',
  'wrong machine',
] as const

export type FaultName = (typeof FAULTS)[number] | (typeof FAULTS_OF_CHANGES)[number]

/** Something that goes wrong, with all that is drawn for it: not every fault looks at everything. */
export interface PlannedFault {
  readonly is: FaultName
  /** How many calls of the operator, or seconds, after the chapter began. */
  readonly at: number
  /** The number of a machine, from 1 on. */
  readonly machine: number
  readonly forSeconds: number
  /** Chooses among what there is, 0 to below 1. */
  readonly choice: number
}

/** What goes wrong in a life: while a cluster is made, while all is well, and while it is deleted. */
export interface Schedule {
  readonly seed: number
  readonly shape: Shape
  /** By calls. */
  readonly creation: readonly PlannedFault[]
  /** By seconds. */
  readonly settled: readonly PlannedFault[]
  /** By calls. */
  readonly deletion: readonly PlannedFault[]
}

// The more machines, the longer it takes and the less it adds.
const SHAPES = [
  { shape: { controlPlanes: 1, workers: 0 }, share: 0.6 },
  { shape: { controlPlanes: 1, workers: 1 }, share: 0.3 },
  { shape: { controlPlanes: 3, workers: 1 }, share: 0.1 },
] as const
const CALLS_PER_MACHINE = { creation: 40, deletion: 19 }
const SETTLED_SECONDS = 120
const SHORTEST_SECONDS = 3
const LONGEST_SECONDS = 90

/** The same for the same seed, on every machine and for ever. */
export function scheduleOf(seed: number): Schedule {
  const random = seededRandom(seed)
  // The first numbers of neighbours are alike.
  for (let at = 0; at < 8; at++) random()
  const shape = shapeOf(random())
  const machines = shape.controlPlanes + shape.workers
  const faults = (most: number, within: number) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () =>
      faultOf(random, { machines, within }),
    ).sort((a, b) => a.at - b.at)
  return {
    ...{ seed, shape },
    creation: faults(4, machines * CALLS_PER_MACHINE.creation),
    settled: faults(2, SETTLED_SECONDS),
    deletion: faults(4, machines * CALLS_PER_MACHINE.deletion),
  }
}

function shapeOf(drawn: number): Shape {
  let sum = 0
  for (const { shape, share } of SHAPES) {
    sum += share
    if (drawn < sum) return shape
  }
  return SHAPES[0].shape
}

interface Among {
  machines: number
  within: number
  among?: readonly FaultName[]
}

/** A fault of any kind, at some moment. */
export function faultOf(
  random: () => number,
  { machines, within, among = FAULTS }: Among,
): PlannedFault {
  return {
    is: among[Math.floor(random() * among.length)] ?? FAULTS[0],
    at: 1 + Math.floor(random() * within),
    machine: 1 + Math.floor(random() * machines),
    forSeconds: SHORTEST_SECONDS + Math.floor(random() ** 2 * (LONGEST_SECONDS - SHORTEST_SECONDS)),
    choice: random(),
  }
}
