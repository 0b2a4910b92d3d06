import { Machine } from '#api/machine.ts'
import type { Reader } from '#runtime/reader.ts'
import { liveObject } from './live-object.ts'
import type { MachineDraft } from './pool.ts'
import type { MachinePlan } from './pool-plan.ts'

/**
 * The machines of a parent's spec that no cache shows and the API has all the same. A parent that goes because it
 * has none any more takes along what knows how to reset them.
 */
export async function unseenMachines(
  { missing }: MachinePlan,
  read: Pick<Reader, 'fetchAny'>,
): Promise<Machine[]> {
  const found = await Promise.all(
    missing.map(async (draft) => {
      const machine = await liveObject(Machine, draft.metadata.name, read)
      return machine && isOfSameParent(machine, draft) ? [machine] : []
    }),
  )
  return found.flat()
}

const isOfSameParent = ({ spec }: Machine, draft: MachineDraft): boolean =>
  spec?.controlPlaneRef?.name === draft.spec.controlPlaneRef?.name &&
  spec?.workerRef?.name === draft.spec.workerRef?.name
