import { entriesOf, type PoolInput, parentOf } from './pool-input.ts'
import { workerAheadWarnings } from './pool-problems-versions.ts'
import { type UnusedWarning, unusedWarnings } from './pool-warnings-unused.ts'

/** What deserves a word and stops nothing. */
export interface PoolWarning {
  reason:
    | 'EvenControlPlanes'
    | 'WorkerAheadOfControlPlane'
    | 'PatchesUnused'
    | 'SecretsShared'
    | UnusedWarning['reason']
  message: string
}

/** What a user of this pool should know, although everything is done as asked. */
export const poolWarnings = (pool: PoolInput): PoolWarning[] => [
  ...(pool.worker ? [] : asList(evenWarning(entriesOf(pool).length))),
  ...workerAheadWarnings(pool).map(({ message }) => ({
    reason: 'WorkerAheadOfControlPlane' as const,
    message,
  })),
  ...asList(patchesWarning(pool)),
  ...unusedWarnings(pool),
]

/** Says that an even number of control planes is no safer than one less; undefined for an odd one. */
export function evenWarning(controlPlanes: number): PoolWarning | undefined {
  if (controlPlanes === 0 || controlPlanes % 2 === 1) return undefined
  const lost = controlPlanes / 2 - 1
  const bear = lost === 0 ? 'stop when one is lost' : `survive the loss of ${lost}`
  return {
    reason: 'EvenControlPlanes',
    message: `${controlPlanes} control planes ${bear}, just as ${controlPlanes - 1} would: etcd needs a majority. Use an odd number.`,
  }
}

function patchesWarning(pool: PoolInput): PoolWarning | undefined {
  const { configRef, metalSpec } = parentOf(pool).spec ?? {}
  const all = [metalSpec?.machineSpec, ...entriesOf(pool)]
  const isPatched = all.some(
    (one) => (one?.configPatches?.length ?? 0) + (one?.additionalConfig?.length ?? 0) > 0,
  )
  if (!configRef || !isPatched) return undefined
  return {
    reason: 'PatchesUnused',
    message:
      'The configuration of configRef is used as it is: configPatches and additionalConfig have no effect. Put what they say into it, or remove configRef.',
  }
}

const asList = <Item>(item: Item | undefined): Item[] => (item === undefined ? [] : [item])
