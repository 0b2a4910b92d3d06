import type { ControlPlane } from '#api/control-plane.ts'
import type { Worker } from '#api/worker.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { MachineEntry, Parent } from './pool.ts'

/** What a pool of machines is judged by. */
export interface PoolInput {
  controlPlane: ControlPlane
  /** The pool, if it is one of workers; else it is the control plane's. */
  worker?: Worker
  /** Pools that join the control plane and must have other machines than it. Left out: nobody looks. */
  workers?: readonly Worker[]
  /** Where the entries are, in their order; undefined for one that is not known yet. Left out: as written. */
  addresses?: readonly (string | undefined)[]
  /** Without it, configurations are not tried. */
  bundle?: SecretsBundle
  /** What `configRef` leads to. */
  configText?: string
  /** Whether `machineSpec.meta` is written to machines. Left out: it is. */
  isMetaWritten?: boolean
}

/** What is wrong with a spec: a reason for programs, and a sentence that says what to change. */
export interface PoolProblem {
  reason: PoolReason
  message: string
}

/** Why a spec cannot be carried out before somebody corrects it. */
export const POOL_REASONS = [
  'NoMachines',
  'AddressInvalid',
  'AddressDuplicate',
  'UuidDuplicate',
  'MachineNameDuplicate',
  'AddressInClusterNetwork',
  'HostnameShared',
  'MetaInvalid',
  'EndpointInvalid',
  'CidrInvalid',
  'CidrOverlap',
  'TalosVersionUnsupported',
  'KubernetesVersionUnsupported',
  'WorkerAheadOfControlPlane',
  'ControlPlaneInvalid',
  'ConfigInvalid',
  'ConfigRefInvalid',
  'ConfigRefMissing',
] as const

type PoolReason = (typeof POOL_REASONS)[number]

/** Says nothing of a spec that this rule finds in order. */
export type PoolRule = (pool: PoolInput) => PoolProblem | undefined

export const parentOf = ({ controlPlane, worker }: PoolInput): Parent => worker ?? controlPlane

export const entriesOf = (pool: PoolInput): readonly MachineEntry[] =>
  parentOf(pool).spec?.metalSpec?.machines ?? []

/** An entry with its address, if that is known, and how it is found in the spec. */
export interface PlacedEntry {
  entry: MachineEntry
  address: string | undefined
  at: number
  place: string
}

export const placedEntries = (pool: PoolInput): PlacedEntry[] =>
  entriesOf(pool).map((entry, at) => ({
    entry,
    address: pool.addresses ? pool.addresses[at] : entry.address,
    at,
    place: `spec.metalSpec.machines[${at}]`,
  }))

/** The first of the problems that are found. */
export function firstOf<Item>(
  items: Iterable<Item>,
  problemOf: (item: Item) => PoolProblem | undefined,
): PoolProblem | undefined {
  for (const item of items) {
    const problem = problemOf(item)
    if (problem) return problem
  }
  return undefined
}
