import type { KindCases, Spec } from './cases.ts'
import { machinePoolCases } from './machine-pool.cases.ts'

/** A control plane on one machine, with nothing that could be left out. */
const metal = (changes: Spec = {}): Spec => ({
  mode: 'metal',
  metalSpec: { machines: [{ address: '10.0.0.1' }] },
  ...changes,
})

const twoFamilies: Spec = {
  podCIDR: ['10.244.0.0/16', 'fd00:10:244::/56'],
  serviceCIDR: ['10.96.0.0/12', 'fd00:10:96::/112'],
}

const pool = machinePoolCases(metal)

export const controlPlaneCases: KindCases = {
  accepted: [
    {
      title: 'metal mode with a machine by its address; all defaults are filled in',
      spec: metal(),
      becomes: {
        version: 'v1.13.0',
        kubeVersion: 'v1.35.0',
        clusterDomain: 'cluster.local',
        deletionPolicy: 'reset',
        rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      },
    },
    ...['flannel', 'custom', 'none'].map((name) => ({
      title: `the network ${name}`,
      spec: metal({ cni: { name } }),
    })),
    {
      title: 'flannel with arguments',
      spec: metal({ cni: { flannel: { extraArgs: ['--v=2'], kubeNetworkPoliciesEnabled: true } } }),
      becomes: { cni: { flannel: { extraArgs: ['--v=2'], kubeNetworkPoliciesEnabled: true } } },
    },
    {
      title: 'a network of its own, by its manifests',
      spec: metal({ cni: { name: 'custom', urls: ['https://a.example/cni.yaml'] } }),
      becomes: { cni: { name: 'custom', urls: ['https://a.example/cni.yaml'] } },
    },
    ...[
      'https://10.0.0.1:6443',
      'http://cp.example.com',
      'https://[2001:db8::1]:6443',
      'https://[2001:db8:0:0:0:0:0:1]',
    ].map((endpoint) => ({
      title: `the endpoint ${endpoint}`,
      spec: metal({ endpoint }),
      becomes: { endpoint },
    })),
    { title: 'two address families', spec: metal(twoFamilies), becomes: twoFamilies },
    {
      title: 'a Secret of its own; the name of a reference defaults to nothing',
      spec: metal({ secretsRef: {} }),
      becomes: { secretsRef: { name: '' } },
    },
    { title: 'a cluster domain', spec: metal({ clusterDomain: 'prod.example' }) },
    ...pool.accepted,
  ],
  refused: [
    {
      title: 'metal mode without metalSpec',
      spec: { mode: 'metal' },
      at: 'spec',
      says: "Machines is required when mode is 'metal'",
    },
    {
      title: 'metal mode with an empty list of machines',
      spec: { mode: 'metal', metalSpec: { machines: [] } },
      at: 'spec',
      says: "Machines is required when mode is 'metal'",
    },
    {
      title: 'another cluster domain later on',
      from: metal({ clusterDomain: 'one.example' }),
      spec: metal({ clusterDomain: 'two.example' }),
      at: 'spec.clusterDomain',
      says: 'ClusterDomain is immutable',
    },
    {
      title: 'the cluster domain left out later on, which would mean the default',
      from: metal({ clusterDomain: 'one.example' }),
      spec: metal(),
      at: 'spec.clusterDomain',
      says: 'ClusterDomain is immutable',
    },
    ...[
      { title: 'another Secret later on', from: 'one', to: 'two' },
      { title: 'a Secret where there was none', to: 'two' },
      { title: 'no Secret where there was one', from: 'one' },
    ].map(({ title, from, to }) => ({
      title,
      from: metal(from ? { secretsRef: { name: from } } : {}),
      spec: metal(to ? { secretsRef: { name: to } } : {}),
      at: 'spec.secretsRef',
      says: 'secretsRef is immutable',
    })),
    ...[
      {
        title: 'a cluster domain of one word',
        changes: { clusterDomain: 'local' },
        at: 'clusterDomain',
      },
      {
        title: 'an endpoint without a scheme',
        changes: { endpoint: '10.0.0.1:6443' },
        at: 'endpoint',
      },
      {
        title: 'an endpoint with a path',
        changes: { endpoint: 'https://a.example/b' },
        at: 'endpoint',
      },
      {
        title: 'a pod range without a length',
        changes: { podCIDR: ['10.0.0.0'] },
        at: 'podCIDR[0]',
      },
      {
        title: 'a service range that is none',
        changes: { serviceCIDR: ['x/8'] },
        at: 'serviceCIDR[0]',
      },
    ].map(({ title, changes, at }) => ({
      title,
      spec: metal(changes),
      at: `spec.${at}`,
      says: 'should match',
    })),
    ...['podCIDR', 'serviceCIDR'].flatMap((field) => [
      {
        title: `five ranges in ${field}`,
        spec: metal({ [field]: Array(5).fill('10.0.0.0/8') }),
        at: `spec.${field}`,
        says: 'must have at most 4 items',
      },
      {
        title: `a range of fifty characters in ${field}`,
        spec: metal({ [field]: [`10.0.0.0/8${' '.repeat(40)}`] }),
        at: `spec.${field}[0]`,
        says: 'may not be more than 49 bytes',
      },
    ]),
    {
      title: 'a network that Talos does not know',
      spec: metal({ cni: { name: 'cilium' } }),
      at: 'spec.cni.name',
      says: 'Unsupported value: "cilium"',
    },
    ...pool.refused,
  ],
}
