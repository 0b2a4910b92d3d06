import { ROLE, WORKER_GROUP } from '#api/labels.ts'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import { machineName } from '#engine/pool.ts'
import type { Wanted } from './drafts.ts'

/** Machines of the cluster that nobody wants any more, those with the highest index first. */
export function surplusOf({
  wanted,
  machines,
}: {
  wanted: readonly Wanted[]
  machines: readonly ProvidedMachine[]
}): ProvidedMachine[] {
  const names = new Set(wanted.map(({ name }) => name))
  return machines
    .filter(({ metadata }) => !names.has(metadata.name))
    .sort((a, b) => indexOf(b.metadata.name) - indexOf(a.metadata.name))
}

/** The number at the end of a name. */
export const indexOf = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? -1)

/** Whether it is a control plane, as it was made. */
export const isControlPlane = ({ metadata }: ProvidedMachine): boolean =>
  metadata.labels?.[ROLE] === 'controlplane'

/** The name of the part of the engine that has this Machine, or would have it. */
const parentNameOf = (machine: ProvidedMachine, cluster: string): string =>
  isControlPlane(machine) ? cluster : `${cluster}-${machine.metadata.labels?.[WORKER_GROUP] ?? ''}`

/** The name of the TalosMachine that stands for it, if there is one. */
export const talosNameOf = (machine: ProvidedMachine, cluster: string): string =>
  machineName(parentNameOf(machine, cluster), { reference: machine.metadata.name })
