import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { wantedSchematic } from '#engine/installer.ts'
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

/** The machines that are to have another Talos than they run: another version, or another schematic. */
export const unlikeTalos = (machines: readonly Machine[]): string[] =>
  namesOf(machines.filter((machine) => isOfOtherVersion(machine) || isOfOtherSchematic(machine)))

const isOfOtherVersion = ({ spec, status }: Machine): boolean =>
  status?.observedVersion !== undefined && status.observedVersion !== spec?.version

/** What is not written down says nothing: it may be none, or not have been looked at yet. */
function isOfOtherSchematic(machine: Machine): boolean {
  const { observedSchematic, pending } = machine.status ?? {}
  const [has, wanted] = [observedSchematic, wantedSchematic(machine)]
  const isUnlike = has !== undefined && wanted !== undefined && has !== wanted
  return isUnlike || (pending?.work === 'upgrade' && pending.needs === 'reboot')
}

export const namesOf = (objects: readonly { metadata: { name: string } }[]): string[] =>
  objects.map(({ metadata }) => metadata.name).sort()
