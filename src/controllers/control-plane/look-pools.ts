import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { turnsOf } from '#engine/turns.ts'
import type { Reader } from '#runtime/reader.ts'

/** The pools of which a machine has a turn, as far as is seen here. */
export const seenBusy = (pools: readonly Worker[]): string[] =>
  // Turns that nobody can read may be anybody's.
  namesOf(pools.filter((pool) => turnsOf(pool)?.held.length !== 0))

/** The same as the API has it: a cache may not show who was given one. */
export async function busyPools({ metadata }: ControlPlane, read: Reader): Promise<string[]> {
  const pools = await read.fetchAll(Worker, { metadata })
  return seenBusy(pools.filter(({ spec }) => spec?.controlPlaneRef?.name === metadata.name))
}

/** The machines that are to have another version of Talos than they run. */
export const unlikeTalos = (machines: readonly Machine[]): string[] =>
  namesOf(
    machines.filter(
      ({ spec, status }) =>
        status?.observedVersion !== undefined && status.observedVersion !== spec?.version,
    ),
  )

export const namesOf = (objects: readonly { metadata: { name: string } }[]): string[] =>
  objects.map(({ metadata }) => metadata.name).sort()
