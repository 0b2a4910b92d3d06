import { controlPlaneSpec } from './control-plane.ts'
import { ageColumn, defineKind, type Resource, TALOS_GROUP } from './meta.ts'
import { object, optional, text } from './schema.ts'
import {
  conditions,
  ipAddress,
  localReference,
  NOT_BUILT_YET,
  observedGeneration,
} from './shapes.ts'
import { workerSpec } from './worker.ts'

/** A whole cluster in one object: it makes and keeps a control plane and a pool of workers. */
export const Cluster = defineKind({
  group: TALOS_GROUP,
  version: 'v1alpha1',
  kind: 'TalosCluster',
  plural: 'talosclusters',
  stem: 'cluster',
  shortNames: ['tc'],
  description:
    'A whole Talos cluster: a control plane and workers, each described here or referred to.',
  columns: [
    {
      name: 'Ready',
      jsonPath: '.status.conditions[?(@.type=="Ready")].status',
      type: 'string',
      description: 'Whether the control plane and the workers are ready.',
    },
    ageColumn,
  ],
  specRequired: false,
  spec: object(
    'The cluster that is wanted.',
    {
      controlPlane: optional(controlPlaneSpec),
      controlPlaneRef: optional(
        localReference('A TalosControlPlane that already exists, instead of `controlPlane`.'),
      ),
      worker: optional(workerSpec),
      workerRef: optional(
        localReference('A TalosWorker that already exists, instead of `worker`.'),
      ),
      pxeServerSpec: optional(
        object(
          `Where the network-boot server listens, for machines that have \`pxeClientSpec\`. ${NOT_BUILT_YET}`,
          {
            address: ipAddress('Address of the boot server that machines can reach.'),
            interface: text('Network interface of the boot server.'),
          },
        ),
      ),
    },
    {
      rules: [
        {
          rule: '!(has(self.controlPlane) && has(self.controlPlaneRef))',
          message: 'Specify either controlPlane or controlPlaneRef, but not both',
        },
        {
          rule: '!(has(self.worker) && has(self.workerRef))',
          message: 'Specify either worker or workerRef, but not both',
        },
      ],
    },
  ),
  status: object('The cluster that is there.', { observedGeneration, conditions }),
  conditions: {
    Ready: 'The control plane and the workers are ready.',
    Progressing: {
      meaning: 'Something is being created, changed or upgraded.',
      forReady: 'any',
    },
    Deleting: { meaning: 'The cluster is being taken down.', forReady: 'False' },
  },
})
export type Cluster = Resource<typeof Cluster>
