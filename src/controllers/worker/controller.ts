import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { ConfigMap, Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { ADOPTED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { adoptedText } from '#engine/adoption.ts'
import { clusterOwners, ownerNamesOf, wholesOf } from '#engine/cluster-owners.ts'
import { writeConfigSecret } from '#engine/config-delivery.ts'
import { configRefNames } from '#engine/config-ref.ts'
import { referencedObjects } from '#engine/pool-entries.ts'
import { machineActs, machineWords } from '#engine/pool-machines.ts'
import { turnActs, turnWords } from '#engine/turn-steps.ts'
import { type Controller, defineController } from '#runtime/controller.ts'
import type { DecidesBy } from '#runtime/definition.ts'
import { observe } from './observe.ts'
import { plan, teardown } from './plan.ts'
import type { Step, World } from './world.ts'

// Makes the objects of its machines, and says how they are. It talks to no machine, and to no cluster.
export const worker = (
  { writesMeta }: { writesMeta: boolean },
  by: DecidesBy<typeof Worker, World, Step> = {},
): Controller =>
  defineController<typeof Worker, World, Step>({
    kind: Worker,
    reads: [
      Machine,
      { kind: ControlPlane, namedBy: ({ spec }) => namesIn(spec?.controlPlaneRef?.name) },
      { kind: Cluster, namedBy: ({ metadata }) => clusterOwners(metadata), statusFields: [] },
      {
        kind: KubernetesCluster,
        namedBy: ({ metadata }) => ownerNamesOf(KubernetesCluster, metadata),
        statusFields: [],
      },
      { kind: ConfigMap, from: 'api', namedBy: ({ spec }) => configRefNames(spec) },
      { kind: Secret, from: 'api' },
    ],
    readsAny: referencedObjects,
    writes: [
      Machine,
      { kind: Secret, verbs: ['create', 'patch'] },
      { kind: Worker, verbs: ['patch'] },
    ],
    modeFrom: ({ metadata }, read) => wholesOf(metadata, read),
    observe: (resource, read) => observe(resource, read, writesMeta),
    plan,
    teardown,
    act: {
      ...machineActs,
      ...turnActs(Worker),
      writeConfig: async ({ isNew }, { world, write }) => {
        const { config } = world.means
        if (!config) throw new Error('the plan is not of this look')
        await writeConfigSecret(write, config, isNew)
      },
      // Only on the version that was looked at: on another one they may be described otherwise.
      adopt: ({ machines }, { resource: { metadata }, write }) =>
        write.patch(Worker, metadata.name, {
          type: 'merge',
          body: {
            metadata: {
              resourceVersion: metadata.resourceVersion,
              annotations: { [ADOPTED]: adoptedText(machines) },
            },
          },
        }),
    },
    tell: {
      ...machineWords,
      ...turnWords,
      adopt: ({ machines }) => ({
        ...{ reason: 'Imported', failure: 'FailedImport' },
        deed: `take over the machines ${machines.join(', ')} as they run`,
        done: `the machines ${machines.join(', ')} were taken over as they run: nothing was changed on them`,
      }),
      writeConfig: ({ name, isNew }) => ({
        ...{ reason: 'ConfigWritten', failure: 'FailedWriteConfig' },
        deed: `${isNew ? 'create' : 'update'} Secret ${name} with the configuration of its machines`,
        done: `Secret ${name} ${isNew ? 'created' : 'updated'} with the configuration of its machines`,
      }),
    },
    ...by,
  })

const namesIn = (name: string | undefined): string[] => (name ? [name] : [])
