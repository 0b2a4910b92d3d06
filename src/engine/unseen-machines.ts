import { Machine } from '#api/machine.ts'
import type { Reader } from '#runtime/reader.ts'
import { isControlPlane, type Parent } from './pool.ts'

/**
 * The machines of a parent that no cache shows and the API has all the same, whatever its spec leads to. A parent that
 * goes because it has none any more takes along what knows how to reset them.
 */
export async function unseenMachines(
  parent: Parent,
  read: Pick<Reader, 'fetchAll'>,
): Promise<Machine[]> {
  const { name } = parent.metadata
  const all = await read.fetchAll(Machine, parent)
  return all.filter(({ spec }) =>
    isControlPlane(parent)
      ? !spec?.workerRef && spec?.controlPlaneRef?.name === name
      : spec?.workerRef?.name === name,
  )
}
