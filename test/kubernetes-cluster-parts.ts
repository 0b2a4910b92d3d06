// What the engine has of a cluster by its shape, for tests: as if the plan had been carried out, and all of it were well.

import type { ControlPlane } from '#api/control-plane.ts'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Machine } from '#api/machine.ts'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import type { Worker } from '#api/worker.ts'
import { entriesOf, nameOf, partsOf } from '#controllers/kubernetes-cluster/entries.ts'
import type { World } from '#controllers/kubernetes-cluster/world.ts'
import { machineName } from '#engine/pool.ts'
import { aMachine, aWorkerMachine } from './builders.ts'
import { afterStep, aWorldOf, saying } from './kubernetes-cluster-world.ts'

const READY = {
  ...{ type: 'Ready', status: 'True' as const, reason: 'AllReady', message: 'all is well' },
  lastTransitionTime: '2030-01-01T00:00:00Z',
}

/** Machines with addresses. */
export const placed = (machines: readonly ProvidedMachine[]): ProvidedMachine[] =>
  machines.map((machine, at) =>
    saying(machine, { phase: 'Running', ipAddresses: [`192.0.2.${at + 1}`] }),
  )

/** A cluster whose parts have these Machines, which run. */
export function runningWith(
  cluster: KubernetesCluster,
  machines: readonly ProvidedMachine[],
): World {
  const own = placed(machines)
  const names = own.map(({ metadata }) => metadata.name)
  const before = aWorldOf(cluster, { machines: own, files: { stale: [], surplus: [] } })
  const control = names.filter((name) => name.includes('-cp-'))
  const workers = names.filter((name) => !control.includes(name))
  const name = cluster.metadata.name
  const begun = afterStep(cluster, before, {
    ...{ do: 'applyControlPlane', name, machines: control, isNew: true },
  })
  const group = { name: `${name}-workers`, group: 'workers' }
  const world =
    workers.length === 0
      ? begun
      : afterStep(cluster, begun, { do: 'applyWorker', ...group, machines: workers, isNew: true })
  return { ...world, talos: inGoodHealth(world.talos) }
}

const inGoodHealth = ({ controlPlane, workers }: World['talos']): World['talos'] => {
  const parts = { controlPlane: controlPlane && ready(controlPlane), workers: workers.map(ready) }
  const machines = partsOf(parts).flatMap((part) => {
    const isWorker = part.kind === 'TalosWorker'
    return entriesOf(part).map((entry) => {
      const { name, uid = '' } = part.metadata
      const owner = { apiVersion: part.apiVersion ?? '', kind: part.kind ?? '', name, uid }
      const metadata = {
        ...{ name: machineName(name, { reference: nameOf(entry) }), ownerReferences: [owner] },
      }
      return ready(isWorker ? aWorkerMachine({ metadata }) : aMachine({ metadata }))
    })
  })
  return { ...parts, machines }
}

const ready = <One extends ControlPlane | Worker | Machine>(one: One): One => ({
  ...one,
  status: { conditions: [READY], observedGeneration: one.metadata.generation ?? 0 },
})
