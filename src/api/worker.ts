import {
  DEFAULT_KUBERNETES_VERSION,
  DEFAULT_TALOS_VERSION,
  metalSpec,
  replicasInContainerMode,
  rolloutStrategy,
} from './machine-pool.ts'
import { ageColumn, defineKind, type Resource, TALOS_GROUP } from './meta.ts'
import { flag, immutable, integer, object, optional, text, wordOf } from './schema.ts'
import {
  conditions,
  configMapKey,
  deletionPolicy,
  localReference,
  mode,
  observedGeneration,
  storageClassName,
  version,
} from './shapes.ts'

export const workerSpec = object(
  'The pool of workers that is wanted.',
  {
    version: version('Talos version of the machines. It only goes up.', {
      default: DEFAULT_TALOS_VERSION,
    }),
    kubeVersion: version(
      'Kubernetes version of the kubelets; it never runs ahead of the control plane.',
      { default: DEFAULT_KUBERNETES_VERSION },
    ),
    mode,
    replicas: integer('How many workers, in container mode.', { format: 'int32', default: 1 }),
    metalSpec: optional(metalSpec),
    storageClassName: optional(
      storageClassName([
        immutable('StorageClassName is immutable, you cannot change it after creation'),
      ]),
    ),
    controlPlaneRef: optional(
      localReference(
        'The TalosControlPlane whose cluster the workers join. Needed, except inside a TalosCluster, which fills it in.',
      ),
    ),
    configRef: optional(
      configMapKey('A complete worker machine configuration to use instead of a generated one.'),
    ),
    deletionPolicy,
    rolloutStrategy,
  },
  {
    rules: [
      {
        rule: "self.mode != 'metal' || has(self.metalSpec)",
        message: "MetalSpec is required when mode 'metal'",
      },
      replicasInContainerMode,
    ],
  },
)

/** A pool of machines that run workloads in the cluster of one control plane. */
export const Worker = defineKind({
  group: TALOS_GROUP,
  version: 'v1alpha1',
  kind: 'TalosWorker',
  plural: 'talosworkers',
  stem: 'worker',
  shortNames: ['tw'],
  description: 'A pool of worker machines that belongs to one TalosControlPlane.',
  columns: [
    {
      name: 'State',
      jsonPath: '.status.state',
      type: 'string',
      description: 'Where the pool is in its life.',
    },
    {
      name: 'Version',
      jsonPath: '.spec.version',
      type: 'string',
      description: 'Talos version that is wanted.',
    },
    {
      name: 'Mode',
      jsonPath: '.spec.mode',
      type: 'string',
      description: 'Where the machines are.',
    },
    ageColumn,
  ],
  specRequired: false,
  spec: workerSpec,
  status: object('The pool of workers that is there.', {
    state: optional(wordOf('Where the pool is in its life.', ['Pending', 'Ready'])),
    observedGeneration,
    conditions,
    imported: optional(flag('Whether the workers were taken over rather than created.')),
    config: optional(
      text('Written by older operators only; read once for takeover, then cleared.'),
    ),
  }),
  conditions: {
    Ready: 'Every machine of the pool runs as the spec says and its node is ready.',
    Deleting: { meaning: 'The pool is being taken down.', forReady: 'False' },
  },
})
export type Worker = Resource<typeof Worker>
