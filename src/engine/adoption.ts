import { ADOPTED, BOOTSTRAP_MACHINE, CONFIG_TRIED, ETCD_SEEN, RECONCILE_MODE } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { KubeObject, ObjectMeta } from '#api/meta.ts'

// What is known of clusters and machines that ran before they were described here.

/** Whether an object is to be taken over as it runs. */
export const isImport = ({ annotations }: ObjectMeta): boolean =>
  annotations?.[RECONCILE_MODE]?.trim().toLowerCase() === 'import'

/** What only a control plane has that runs, or a part that was taken over already. */
const EVIDENCE = [ADOPTED, BOOTSTRAP_MACHINE, ETCD_SEEN]

/** Whether a control plane or a pool waits to be taken over. Until then nothing at all is done to machines for it. */
export const isToBeImported = ({ metadata }: KubeObject): boolean =>
  isImport(metadata) && EVIDENCE.every((key) => metadata.annotations?.[key] === undefined)

/** The machines that a control plane or a pool took over, by UUID; undefined if it never did. */
export const adoptedMachines = ({ metadata }: KubeObject): readonly string[] | undefined =>
  metadata.annotations?.[ADOPTED]?.split(' ')

/** Whether it ever did, or an older operator says so. Undefined: no. */
export const wasImported = (
  part: KubeObject & { status?: { imported?: boolean } },
): boolean | undefined => (adoptedMachines(part) ? true : part.status?.imported)

/** How they are written down. */
export const adoptedText = (uuids: readonly string[]): string => uuids.join(' ')

/** Whether a machine ran before this object stood for it. */
export const isAdopted = ({ metadata }: Machine): boolean =>
  metadata.annotations?.[ADOPTED] !== undefined

/** Whether nothing was ever given to a machine by us: it is as somebody else made it. */
export const isAsAdopted = (machine: Machine): boolean =>
  isAdopted(machine) && machine.metadata.annotations?.[CONFIG_TRIED] === undefined

/** Whether a machine goes on running as it is when its object goes; undefined if not, otherwise why. */
export function whyLeftRunning(machine: Machine): string | undefined {
  if (machine.spec?.deletionPolicy === 'preserve') return 'because deletionPolicy is preserve'
  return isAsAdopted(machine)
    ? 'because it was imported, and never configured by this operator'
    : undefined
}
