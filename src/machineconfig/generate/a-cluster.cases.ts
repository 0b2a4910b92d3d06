// A cluster whose keys are words, for tests of what is made from them.

import { Secret } from '#base/secret.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { ClusterOptions } from './options.ts'

const pair = (name: string) => ({
  certificate: `${name} certificate`,
  key: new Secret(`${name} key`),
})

export const aBundle: SecretsBundle = {
  cluster: { id: 'cluster-id', secret: new Secret('cluster-secret') },
  bootstrapToken: new Secret('bootstrap.token'),
  encryption: { as: 'secretbox', secret: new Secret('encryption-secret') },
  trustdToken: new Secret('trustd.token'),
  etcd: pair('etcd'),
  kubernetes: pair('kubernetes'),
  aggregator: pair('aggregator'),
  serviceAccountKey: new Secret('service account key'),
  talos: pair('talos'),
}

export const aCluster = (options: Partial<ClusterOptions> = {}): ClusterOptions => ({
  clusterName: 'one',
  endpoint: 'https://192.0.2.1:6443',
  secrets: aBundle,
  talosVersion: 'v1.13.0',
  kubernetesVersion: '1.36.0',
  ...options,
})
