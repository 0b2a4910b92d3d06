import { ageColumn, defineKind, type Resource, TALOS_GROUP } from './meta.ts'
import { flag, object, oneOf, optional, text } from './schema.ts'
import {
  conditions,
  localReference,
  NOT_BUILT_YET,
  observedGeneration,
  secretKey,
} from './shapes.ts'

const s3 = object('A bucket of an S3-compatible store.', {
  bucket: text('Name of the bucket.'),
  region: text('Region of the bucket.'),
  endpoint: optional(
    text('URL of the store. Left out: AWS. Set: the bucket is part of the path, not of the host.'),
  ),
  accessKeyID: secretKey('Where the access key id is kept.'),
  secretAccessKey: secretKey('Where the secret access key is kept.'),
  insecureSkipTLSVerify: flag('Do not verify the certificate of the store.', { default: false }),
})

export const etcdBackupSpec = object(
  'Which cluster is backed up, and where to.',
  {
    talosControlPlaneRef: optional(
      localReference('The TalosControlPlane whose etcd is backed up.'),
    ),
    clusterRef: optional(
      localReference(
        'The TalosCluster whose etcd is backed up, instead of `talosControlPlaneRef`.',
      ),
    ),
    storageType: oneOf('Which kind of storage the backup goes to.', ['s3'], { default: 's3' }),
    backupStorage: object('The storage.', { s3 }),
  },
  {
    rules: [
      {
        rule: 'has(self.talosControlPlaneRef) != has(self.clusterRef)',
        message: 'Specify exactly one of talosControlPlaneRef and clusterRef',
      },
    ],
  },
)

/** One snapshot of a cluster's etcd, in a store outside of the cluster. */
export const EtcdBackup = defineKind({
  group: TALOS_GROUP,
  version: 'v1alpha1',
  kind: 'TalosEtcdBackup',
  plural: 'talosetcdbackups',
  stem: 'etcd-backup',
  shortNames: ['teb'],
  description: `One backup of the etcd of one cluster, taken once. ${NOT_BUILT_YET}`,
  columns: [
    {
      name: 'Filename',
      jsonPath: '.status.filename',
      type: 'string',
      description: 'Where the snapshot is in the store.',
    },
    ageColumn,
  ],
  specRequired: true,
  spec: etcdBackupSpec,
  status: object('The backup that is there.', {
    observedGeneration,
    filename: optional(text('Key of the snapshot in the store.')),
    stateFilename: optional(text('Key of the cluster’s state Secret in the store.')),
    conditions,
  }),
  conditions: {
    Ready: 'The backup is complete in the store.',
    Progressing: { meaning: 'The backup is being taken.', forReady: 'any' },
    Failed: { meaning: 'The backup could not be taken.', forReady: 'False' },
  },
})
export type EtcdBackup = Resource<typeof EtcdBackup>
