import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'

/** The machine that an object stands for, by its UUID in small letters. */
export const claimOf = ({ metadata }: Machine): string | undefined =>
  metadata.annotations?.[MACHINE_UUID]?.toLowerCase()

/** Who is at the address of an object that stands for no machine yet. */
type Answerer =
  | { is: 'known'; uuid: string }
  /** Nobody of this cluster, whoever it is. */
  | { is: 'stranger' }
  /** Nobody answers, or says who it is; or nobody has looked yet. */
  | { is: 'unknown' }

/** As it was last looked at, if that was for the address that it has now. */
export function answererFor({ metadata, status }: Machine): Answerer {
  const reachable = status?.conditions?.find(({ type }) => type === 'Reachable')
  const { observedGeneration = metadata.generation, uuid } = status ?? {}
  if (!reachable || observedGeneration !== metadata.generation) return { is: 'unknown' }
  if (reachable.reason === 'NotInMaintenance') return { is: 'stranger' }
  return reachable.status === 'True' && uuid !== undefined
    ? { is: 'known', uuid: uuid.toLowerCase() }
    : { is: 'unknown' }
}

/** Whether two answer as one: the machine that is known works where it is, and another one of its UUID waits for a configuration. */
export const areTwo = (known: Machine, waiting: Machine): boolean =>
  answererFor(known).is === 'known' &&
  known.status?.stage !== 'maintenance' &&
  waiting.status?.stage === 'maintenance'
