import type { ProvidedMachine } from '#api/provided-machine.ts'
import type { Wanted } from './drafts.ts'
import { addressPath } from './machine-address.ts'
import { isLeaving } from './own.ts'

interface Seen {
  wanted: readonly Wanted[]
  machines: readonly ProvidedMachine[]
}

/**
 * Whether each control plane that is wanted has an address. They begin together: etcd that begins with fewer has no
 * majority to lose while the others are still to come, and nobody knows whether these ever do.
 */
export const canBegin = (seen: Seen): boolean =>
  seen.wanted
    .filter(({ role }) => role === 'controlplane')
    .every(({ name }) => isUsable(name, seen))

/** Whether there is a machine behind the Machine of this name, and one that stays. */
export function isUsable(name: string, { machines }: Pick<Seen, 'machines'>): boolean {
  const machine = machines.find(({ metadata }) => metadata.name === name)
  return machine !== undefined && !isLeaving(machine) && addressPath(machine) !== undefined
}
