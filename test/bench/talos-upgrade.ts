import { Cluster } from '#api/cluster.ts'
import type { Machine } from '#api/machine.ts'
import { ownTurn } from '#engine/turns.ts'
import type { KubeClient } from '#kube/client.ts'
import type { FollowedObjects } from './followed-objects.ts'
import { isReady } from './ready.ts'

/** Has all machines of a cluster run another version of Talos. */
export const setTalosVersion = (
  client: KubeClient,
  name: string,
  version: string,
): Promise<Cluster> =>
  client.patch(
    Cluster,
    { namespace: 'default', name },
    { type: 'merge', body: { spec: { controlPlane: { version }, worker: { version } } } },
  )

/** Resolves when all machines run it, are ready, and are done with what they did in their turns. */
export const untilTalos = (
  machines: FollowedObjects<typeof Machine>,
  version: string,
  withinMs: number,
): Promise<void> =>
  machines.until(
    `all machines to run ${version}`,
    (all) => all.every((machine) => runs(machine, version)),
    withinMs,
  )

const runs = (machine: Machine, version: string): boolean =>
  machine.status?.observedVersion === version && ownTurn(machine) === undefined && isReady(machine)
