import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Machine } from '#api/machine.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { liveObject } from '#engine/live-object.ts'
import { machineName } from '#engine/pool.ts'
import type { Reader } from '#runtime/reader.ts'
import { isGone, missingIn, nameOf } from './entries.ts'
import { isLeaving, isOwn } from './own.ts'
import { takenBy } from './taken.ts'
import type { Taken, World } from './world.ts'

// So many are asked for in one look: the rest is taken to be there until the next.
const MOST_AT_ONCE = 50

interface Gone extends Pick<World, 'lost' | 'gone'> {
  /** Machines that parts of the cluster have and that are not the cluster's own any more. */
  handedOver: Taken[]
}

/**
 * Asks the API for what seems to be gone. A machine is wiped or let go because of it, and what no cache shows may be
 * there all the same.
 */
export async function lookAtGone(
  cluster: KubernetesCluster,
  seen: Pick<World, 'machines' | 'talos'>,
  read: Reader,
): Promise<Gone> {
  const live = (name: string) => liveObject(ProvidedMachine, name, read)
  const missing = missingIn(seen).slice(0, MOST_AT_ONCE)
  const orphans = orphansIn(seen).slice(0, MOST_AT_ONCE)
  const [found, made] = await Promise.all([
    Promise.all(missing.map((entry) => live(nameOf(entry)))),
    Promise.all(orphans.map((machine) => live(referenceOf(machine)))),
  ])
  const there = missing.flatMap((entry, at) => (isGone(entry, found[at]) ? [] : (found[at] ?? [])))
  return {
    lost: missing.filter((entry, at) => isGone(entry, found[at])).map(nameOf),
    handedOver: there.filter((machine) => !isOwn(cluster, machine)).map(takenBy),
    gone: orphans
      .filter((orphan, at) => isAnother(made[at], orphan))
      .map(({ metadata }) => metadata.name),
  }
}

/** Machines of the engine that are to go, and whose Machine is gone if these are all that there are. */
export const orphansIn = ({ machines, talos }: Pick<World, 'machines' | 'talos'>): Machine[] =>
  talos.machines.filter((machine) => {
    const own = machines.find(
      ({ metadata }) =>
        machineName(parentOf(machine), { reference: metadata.name }) === machine.metadata.name,
    )
    return isLeaving(machine) && isAnother(own, machine)
  })

/** Whether a Machine is not the one that a machine of the engine stood for, which was there before that. */
const isAnother = (found: ProvidedMachine | undefined, { metadata }: Machine): boolean =>
  found === undefined ||
  (found.metadata.creationTimestamp ?? '') > (metadata.creationTimestamp ?? '')

const parentOf = ({ spec }: Machine): string =>
  spec?.workerRef?.name ?? spec?.controlPlaneRef?.name ?? ''

/** The name of the Machine that it stands for. Names of Machines are short enough to be within its own as they are. */
const referenceOf = (machine: Machine): string =>
  machine.metadata.name.slice(parentOf(machine).length + 1)
