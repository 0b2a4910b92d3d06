import type { KindCases, Spec } from './cases.ts'

const s3: Spec = {
  bucket: 'my-etcd-backups',
  region: 'us-west-2',
  accessKeyID: { name: 'my-s3-credentials', key: 'accessKeyID' },
  secretAccessKey: { name: 'my-s3-credentials', key: 'secretAccessKey' },
}
const without = (name: string): Spec =>
  Object.fromEntries(Object.entries(s3).filter(([key]) => key !== name))

const maybeMissing: Spec = {
  accessKeyID: { name: 'a', key: 'id', optional: true },
  secretAccessKey: { name: 'a', key: 'secret', optional: true },
}

/** A backup with nothing that could be left out. */
const backup = (changes: Spec = {}): Spec => ({
  talosControlPlaneRef: { name: 'prod' },
  backupStorage: { s3 },
  ...changes,
})
const ofCluster = (clusterRef: Spec): Spec => ({ clusterRef, backupStorage: { s3 } })
const into = (changes: Spec): Spec => backup({ backupStorage: { s3: { ...s3, ...changes } } })

export const etcdBackupCases: KindCases = {
  accepted: [
    {
      title: 'a control plane and a bucket; all defaults are filled in',
      spec: backup(),
      becomes: {
        storageType: 's3',
        backupStorage: { s3: { ...s3, insecureSkipTLSVerify: false } },
      },
    },
    {
      title: 'a cluster instead of a control plane',
      spec: ofCluster({ name: 'prod' }),
      becomes: { clusterRef: { name: 'prod' } },
    },
    {
      title: 'the storage s3, as the default says',
      spec: backup({ storageType: 's3' }),
      becomes: { storageType: 's3' },
    },
    {
      title: 'a control plane without a name',
      spec: backup({ talosControlPlaneRef: {} }),
      becomes: { talosControlPlaneRef: { name: '' } },
    },
    {
      title: 'a cluster without a name',
      spec: ofCluster({}),
      becomes: { clusterRef: { name: '' } },
    },
    {
      title: 'credentials without the name of a Secret',
      spec: into({ accessKeyID: { key: 'id' }, secretAccessKey: { key: 'secret' } }),
      becomes: {
        backupStorage: {
          s3: {
            accessKeyID: { name: '', key: 'id' },
            secretAccessKey: { name: '', key: 'secret' },
          },
        },
      },
    },
    {
      title: 'credentials that may be missing',
      spec: into(maybeMissing),
      becomes: { backupStorage: { s3: maybeMissing } },
    },
    {
      title: 'another store, whose certificate is not verified',
      spec: into({ endpoint: 'https://minio.example:9000', insecureSkipTLSVerify: true }),
      becomes: {
        backupStorage: {
          s3: { endpoint: 'https://minio.example:9000', insecureSkipTLSVerify: true },
        },
      },
    },
    {
      title: 'a cluster where a control plane was',
      from: backup(),
      spec: ofCluster({ name: 'prod' }),
      drops: ['talosControlPlaneRef'],
    },
    {
      title: 'a field that the schema does not know is dropped',
      spec: { ...into({ prefix: 'a/b' }), colour: 'blue' },
      drops: ['colour', 'backupStorage.s3.prefix'],
    },
  ],
  refused: [
    { title: 'no spec at all', at: 'spec', says: 'Required value' },
    ...[
      {
        title: 'both a control plane and a cluster',
        spec: backup({ clusterRef: { name: 'prod' } }),
      },
      { title: 'neither a control plane nor a cluster', spec: { backupStorage: { s3 } } },
      {
        title: 'a cluster added to a control plane later on',
        from: backup(),
        spec: backup({ clusterRef: {} }),
      },
    ].map((attempt) => ({
      ...attempt,
      at: 'spec',
      says: 'Specify exactly one of talosControlPlaneRef and clusterRef',
    })),
    {
      title: 'a storage that there is not',
      spec: backup({ storageType: 'gcs' }),
      at: 'spec.storageType',
      says: 'Unsupported value: "gcs"',
    },
    {
      title: 'no storage',
      spec: { talosControlPlaneRef: { name: 'prod' } },
      at: 'spec.backupStorage',
      says: 'Required value',
    },
    {
      title: 'a storage without s3',
      spec: backup({ backupStorage: {} }),
      at: 'spec.backupStorage.s3',
      says: 'Required value',
    },
    ...Object.keys(s3).map((field) => ({
      title: `a bucket without ${field}`,
      spec: backup({ backupStorage: { s3: without(field) } }),
      at: `spec.backupStorage.s3.${field}`,
      says: 'Required value',
    })),
    ...['accessKeyID', 'secretAccessKey'].map((field) => ({
      title: `${field} without a key`,
      spec: into({ [field]: { name: 'my-s3-credentials' } }),
      at: `spec.backupStorage.s3.${field}.key`,
      says: 'Required value',
    })),
    {
      title: 'a credential itself in place of where it is',
      spec: into({ accessKeyID: 'AKIAEXAMPLE' }),
      at: 'spec.backupStorage.s3.accessKeyID',
      says: 'must be of type object',
    },
  ],
}
