import type { Accepted, KindCases, Refused, Spec } from './cases.ts'
import { everyField, unknownEverywhere, wrongValues } from './provided-machine.cases.ts'
import { wrongTypeCases } from './wrong-types.cases.ts'

const withTemplate = (spec: unknown): Spec => ({
  controlPlane: { machineTemplate: { spec } },
  workers: [{ name: 'workers', machineTemplate: { spec } }],
})

const group = { name: 'workers', replicas: 2 }

const whole: Spec = {
  clusterName: 'prod-cluster',
  kubernetesVersion: 'v1.28.3',
  talosVersion: 'v1.5.5',
  clusterEndpoint: 'https://192.168.1.100:6443',
  podSubnets: ['10.244.0.0/16'],
  serviceSubnets: ['10.96.0.0/12'],
  controlPlane: { replicas: 3, machineTemplate: { spec: everyField } },
  workers: [{ ...group, machineTemplate: { spec: everyField } }],
  talosConfig: {
    machine: {
      type: 'controlplane',
      token: 'abcdef.0123456789abcdef',
      ca: { crt: 'a certificate', key: 'a key' },
      certSANs: ['api.example.com'],
      kubelet: { image: 'registry.example/kubelet:v1.28.3', extraArgs: { 'max-pods': '200' } },
    },
    cluster: {
      name: 'prod-cluster',
      controlPlane: { endpoint: 'https://192.168.1.100:6443' },
      network: {
        dnsDomain: 'cluster.local',
        podSubnets: ['10.244.0.0/16'],
        serviceSubnets: ['10.96.0.0/12'],
      },
    },
    install: {
      disk: '/dev/sda',
      image: 'registry.example/installer:v1.5.5',
      bootloader: true,
      wipe: false,
      extraKernelArgs: ['console=ttyS0'],
    },
    secretRef: { name: 'prod-keys' },
  },
}

// A comment alone after `spec:` is an explicit null to a YAML parser.
const simple: Spec = {
  clusterName: 'simple-cluster',
  kubernetesVersion: 'v1.28.3',
  talosVersion: 'v1.5.5',
  clusterEndpoint: 'https://192.168.1.100:6443',
  controlPlane: { replicas: 3, machineTemplate: { spec: null } },
  workers: [{ name: 'workers', replicas: 2, machineTemplate: { spec: null } }],
}

const complex: Spec = {
  clusterName: 'complex-cluster',
  kubernetesVersion: 'v1.28.3',
  talosVersion: 'v1.5.5',
  clusterEndpoint: 'https://192.168.1.100:6443',
  controlPlane: { replicas: 3, machineTemplate: { spec: {} } },
  workers: [
    { name: 'general-workers', replicas: 3, machineTemplate: { spec: {} } },
    { name: 'gpu-workers', replicas: 2, machineTemplate: { spec: {} } },
    { name: 'storage-workers', replicas: 1, machineTemplate: { spec: {} } },
  ],
}

const workersNamed = (...names: string[]): Spec => ({
  workers: names.map((name) => ({ name, replicas: 1 })),
})
const network = (settings: Spec): Spec => ({ talosConfig: { cluster: { network: settings } } })

// The controller says what is wrong with these, in a condition; the API takes them as they are.
const wrongButWellTyped: { title: string; spec: Spec }[] = [
  ...[-1, 0, 2, 4, 6, 7, 3_000_000_000].map((replicas) => ({
    title: `${replicas} control planes`,
    spec: { controlPlane: { replicas } },
  })),
  { title: 'no control plane', spec: workersNamed('workers') },
  { title: 'a group of -1 workers', spec: { workers: [{ name: 'workers', replicas: -1 }] } },
  { title: 'a group called cp', spec: workersNamed('cp') },
  { title: 'two groups of one name', spec: workersNamed('workers', 'workers') },
  { title: 'a group without a name', spec: { workers: [{ replicas: 1 }] } },
  { title: 'a group with a name that no label can hold', spec: workersNamed('GPU / big') },
  { title: 'an empty list of groups', spec: { workers: [] } },
  ...['1.28.3', 'v1.28', 'latest', ''].flatMap((version) => [
    { title: `the Kubernetes version "${version}"`, spec: { kubernetesVersion: version } },
    { title: `the Talos version "${version}"`, spec: { talosVersion: version } },
  ]),
  ...['not a URL', 'http://a.example', 'https://a.example/b?c=d', '10.0.0.1:6443'].map(
    (clusterEndpoint) => ({ title: `the endpoint ${clusterEndpoint}`, spec: { clusterEndpoint } }),
  ),
  {
    title: 'another endpoint further down',
    spec: {
      clusterEndpoint: 'https://a.example:6443',
      talosConfig: { cluster: { controlPlane: { endpoint: 'https://b.example:6443' } } },
    },
  },
  {
    title: 'pods and Services that share a range',
    spec: { podSubnets: ['10.0.0.0/8'], serviceSubnets: ['10.96.0.0/12'] },
  },
  { title: 'a range that is none', spec: { podSubnets: ['everything'], serviceSubnets: [''] } },
  { title: 'five ranges', spec: { podSubnets: Array(5).fill('10.0.0.0/8') } },
  { title: 'a range that is none further down', spec: network({ podSubnets: ['10.0.0.0'] }) },
  { title: 'a domain that is none', spec: network({ dnsDomain: '-' }) },
  {
    title: 'other ranges further down',
    spec: { podSubnets: ['10.0.0.0/16'], ...network({ podSubnets: ['10.1.0.0/16'] }) },
  },
  ...['a/../b', '.hidden', 'Upper', 'x'.repeat(300)].map((clusterName) => ({
    title: `the cluster name ${clusterName.slice(0, 9)}, of ${clusterName.length} characters`,
    spec: { clusterName },
  })),
  {
    title: 'another cluster name further down',
    spec: { clusterName: 'a', talosConfig: { cluster: { name: 'b' } } },
  },
  {
    title: 'a certificate without its key',
    spec: { talosConfig: { machine: { ca: { crt: 'a certificate' } } } },
  },
  {
    title: 'a key without its certificate',
    spec: { talosConfig: { machine: { ca: { key: 'a key' } } } },
  },
  {
    title: 'a type of machine that there is not',
    spec: { talosConfig: { machine: { type: 'router' } } },
  },
  { title: 'a disk that is none', spec: { talosConfig: { install: { disk: 'the big one' } } } },
  { title: 'a Secret without a name', spec: { talosConfig: { secretRef: {} } } },
  {
    title: 'keys both here and in a Secret',
    spec: { talosConfig: { machine: { token: 'a.b' }, secretRef: { name: 'keys' } } },
  },
  ...wrongValues.map(({ title, spec }) => ({
    title: `in a template: ${title}`,
    spec: withTemplate(spec),
  })),
]

const templates: Accepted[] = [
  {
    title: 'a template with every field that real providers know',
    spec: withTemplate(everyField),
    becomes: withTemplate(everyField),
  },
  {
    title: 'fields that only a provider knows are kept in a template, at every level',
    spec: withTemplate(unknownEverywhere),
    becomes: withTemplate(unknownEverywhere),
  },
  {
    title: 'fields that only a provider knows are kept in an update',
    from: withTemplate({}),
    spec: withTemplate(unknownEverywhere),
    becomes: withTemplate(unknownEverywhere),
  },
  {
    title: 'a template gets no defaults',
    spec: withTemplate({ cloudInit: { userData: 'x' } }),
    becomes: withTemplate({ cloudInit: { userData: 'x' } }),
    drops: ['controlPlane.machineTemplate.spec.cloudInit.type'],
  },
  { title: 'a group without a template', spec: workersNamed('workers') },
  {
    title: 'nothing in place of a template is kept as nothing',
    spec: withTemplate(null),
    becomes: withTemplate(null),
  },
  { title: 'an empty template', spec: { controlPlane: { machineTemplate: {} } } },
]

const effectiveNames: Accepted[] = [
  {
    title: 'the name of the object as cluster name later on',
    name: 'named-later',
    from: {},
    spec: { clusterName: 'named-later' },
    becomes: { clusterName: 'named-later' },
  },
  {
    title: 'the name of the object where the cluster name was empty',
    name: 'named-empty',
    from: { clusterName: '' },
    spec: { clusterName: 'named-empty' },
  },
  {
    title: 'no cluster name where it was the name of the object',
    name: 'named-before',
    from: { clusterName: 'named-before' },
    spec: {},
    drops: ['clusterName'],
  },
  {
    title: 'no spec where the cluster name was the name of the object',
    name: 'spec-before',
    from: { clusterName: 'spec-before' },
  },
  {
    title: 'the same cluster name with everything else changed',
    from: { ...complex, clusterName: 'same' },
    spec: { ...whole, clusterName: 'same' },
    becomes: { kubernetesVersion: 'v1.28.3', talosConfig: { secretRef: { name: 'prod-keys' } } },
  },
]

const otherNames: Refused[] = [
  {
    title: 'another cluster name later on',
    from: { clusterName: 'a' },
    spec: { clusterName: 'b' },
  },
  {
    title: 'a cluster name later on that is not the name of the object',
    from: {},
    spec: { clusterName: 'a' },
  },
  { title: 'no cluster name where there was one', from: { clusterName: 'a' }, spec: {} },
  {
    title: 'an empty cluster name where there was one',
    from: { clusterName: 'a' },
    spec: { clusterName: '' },
  },
  { title: 'no spec where there was a cluster name', from: { clusterName: 'a' } },
].map((attempt) => ({ ...attempt, at: 'spec.clusterName', says: 'clusterName is immutable' }))

export const kubernetesClusterCases: KindCases = {
  accepted: [
    { title: 'every field there is', spec: whole, becomes: whole },
    { title: 'no spec at all' },
    { title: 'an empty spec; it gets no defaults', spec: {}, drops: ['podSubnets', 'talosConfig'] },
    {
      title: 'the simple example',
      name: 'simple-cluster',
      spec: simple,
      becomes: { ...simple, controlPlane: { replicas: 3 }, workers: [group] },
    },
    {
      title: 'the example with several groups of workers',
      name: 'complex-cluster',
      spec: complex,
      becomes: complex,
    },
    {
      title: 'nothing in place of every field',
      spec: { clusterName: null, podSubnets: null, workers: null, talosConfig: null },
      drops: ['clusterName', 'podSubnets', 'workers', 'talosConfig'],
    },
    {
      title: 'an object of the other project with this kind; nothing of it is kept',
      spec: { data: { clusterId: 'a' }, topology: { controlplane: { replicas: 3 } } },
      drops: ['data', 'topology'],
    },
    {
      title: 'a field that the schema does not know is dropped outside of templates',
      spec: {
        controlPlane: { machineTemplate: { metadata: {} } },
        talosConfig: { colour: 'blue' },
      },
      drops: ['controlPlane.machineTemplate.metadata', 'talosConfig.colour'],
    },
    ...templates,
    ...effectiveNames,
    ...wrongButWellTyped.map(({ title, spec }) => ({
      title: `left to the controller: ${title}`,
      spec,
      becomes: spec,
    })),
    {
      title: 'a good spec that is made a wrong one',
      from: whole,
      spec: { ...whole, controlPlane: { replicas: 2 } },
      becomes: { controlPlane: { replicas: 2 } },
    },
  ],
  refused: [
    ...otherNames,
    ...wrongTypeCases(whole),
    {
      title: 'nothing in place of a group',
      spec: { workers: [null] },
      at: 'spec.workers[0]',
      says: 'must be of type object',
    },
    {
      title: 'half a control plane',
      spec: { controlPlane: { replicas: 1.5 } },
      at: 'spec.controlPlane.replicas',
      says: 'must be of type integer',
    },
  ],
}
