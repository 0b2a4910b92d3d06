import type { KindCases, Refused, Spec } from './cases.ts'
import { wrongTypeCases } from './wrong-types.cases.ts'

/** Every field that real providers know. */
export const everyField: Spec = {
  name: 'prod-cp-0',
  machineClass: 'large',
  machineType: 'q35',
  provider: 'kubevirt',
  providerConfig: {
    name: 'kubevirt-config',
    region: 'north',
    zone: 'a',
    config: { storageClass: 'fast' },
    credentialsRef: { secretName: 'kubevirt', namespace: 'default' },
  },
  cpu: { cores: 4, sockets: 1, threadsPerCore: 2 },
  memory: 8589934592,
  disks: [
    {
      name: 'root',
      sizeGB: 50,
      type: 'nvme',
      boot: true,
      device: '/dev/vda',
      encrypted: false,
      iops: 3000,
      throughput: 125,
    },
  ],
  network: {
    networkNamespaceName: 'tenant-a',
    vpc: 'vpc-1',
    subnet: 'subnet-1',
    assignPublicIP: false,
    privateIP: '10.0.0.10',
    publicIP: '192.0.2.10',
    interfaces: [{ name: 'eth0', subnet: 'subnet-1', primary: true, securityGroups: ['web'] }],
  },
  os: {
    family: 'linux',
    distribution: 'talos',
    version: 'v1.13.0',
    architecture: 'amd64',
    imageID: 'talos-1.13',
    imageFamily: 'talos',
    isoUri: 'https://factory.example/metal-amd64.iso',
  },
  cloudInit: {
    type: 'noCloud',
    userData: '#cloud-config\n',
    userDataBase64: 'I2Nsb3VkLWNvbmZpZwo=',
    userDataSecretRef: { name: 'first-boot', key: 'userdata' },
    userDataConfigMapRef: { name: 'first-boot', key: 'userdata' },
    networkData: 'version: 2\n',
    networkDataBase64: 'dmVyc2lvbjogMgo=',
    networkDataSecretRef: { name: 'first-boot', key: 'networkdata' },
    networkDataConfigMapRef: { name: 'first-boot', key: 'networkdata' },
  },
  userData: '#cloud-config\n',
  sshKeys: ['ssh-ed25519 AAAA'],
  tags: { team: 'platform' },
  securityGroups: ['web'],
  monitoring: true,
  backup: { enabled: true, schedule: '0 2 * * *', retentionDays: 7 },
  talosConfig: {
    machineType: 'controlplane',
    clusterEndpoint: 'https://192.168.1.100:6443',
    installDisk: '/dev/sda',
    cluster: {
      network: {
        dnsDomain: 'cluster.local',
        podSubnets: ['10.244.0.0/16'],
        serviceSubnets: ['10.96.0.0/12'],
      },
    },
  },
}

const theirs = { theirs: { deep: [{ deeper: null }, 'x', 1.5], empty: {} } }

/** Fields that nobody here knows, at every level that there is. */
export const unknownEverywhere: Spec = {
  ...theirs,
  providerConfig: { ...theirs, credentialsRef: theirs },
  cpu: { cores: 2, ...theirs },
  disks: [{ name: 'root', ...theirs }],
  network: { ...theirs, interfaces: [{ name: 'eth0', ...theirs }] },
  os: theirs,
  cloudInit: {
    ...theirs,
    userDataSecretRef: { name: 'a', ...theirs },
    userDataConfigMapRef: { name: 'b', ...theirs },
    networkDataSecretRef: { name: 'c', ...theirs },
    networkDataConfigMapRef: { name: 'd', ...theirs },
  },
  backup: theirs,
  talosConfig: { ...theirs, cluster: { ...theirs, network: theirs } },
}

const ofCpu = (name: string) => (value: number) => ({ cpu: { [name]: value } })
const ofDisk = (name: string) => (value: number) => ({ disks: [{ [name]: value }] })

const ranges = [
  { at: 'cpu.cores', least: 1, most: 256, put: ofCpu('cores') },
  { at: 'cpu.sockets', least: 1, most: 16, put: ofCpu('sockets') },
  { at: 'cpu.threadsPerCore', least: 1, most: 8, put: ofCpu('threadsPerCore') },
  { at: 'disks[0].sizeGB', least: 1, most: 65536, put: ofDisk('sizeGB') },
  { at: 'disks[0].iops', least: 100, most: 64000, put: ofDisk('iops') },
  { at: 'disks[0].throughput', least: 125, most: 4000, put: ofDisk('throughput') },
]

/** Right by type, and wrong by value. */
export const wrongValues: (Refused & { spec: Spec })[] = [
  ...ranges.flatMap(({ at, least, most, put }) => [
    {
      title: `${at} below ${least}`,
      spec: put(least - 1),
      at: `spec.${at}`,
      says: `should be greater than or equal to ${least}`,
    },
    {
      title: `${at} above ${most}`,
      spec: put(most + 1),
      at: `spec.${at}`,
      says: `should be less than or equal to ${most}`,
    },
  ]),
  {
    title: 'less than no memory',
    spec: { memory: -1 },
    at: 'spec.memory',
    says: 'should be greater than or equal to 0',
  },
  ...['name', 'machineClass'].map((field) => ({
    title: `an empty ${field}`,
    spec: { [field]: '' },
    at: `spec.${field}`,
    says: 'should be at least 1 chars long',
  })),
  {
    title: 'an architecture that providers do not know',
    spec: { os: { architecture: 'riscv64' } },
    at: 'spec.os.architecture',
    says: 'Unsupported value: "riscv64"',
  },
  {
    title: 'a way of first-boot data that there is not',
    spec: { cloudInit: { type: 'floppy' } },
    at: 'spec.cloudInit.type',
    says: 'Unsupported value: "floppy"',
  },
  ...[
    'userDataSecretRef',
    'userDataConfigMapRef',
    'networkDataSecretRef',
    'networkDataConfigMapRef',
  ].map((field) => ({
    title: `${field} without a name`,
    spec: { cloudInit: { [field]: { key: 'a' } } },
    at: `spec.cloudInit.${field}.name`,
    says: 'Required value',
  })),
]

export const providedMachineCases: KindCases = {
  accepted: [
    { title: 'every field that real providers know', spec: everyField, becomes: everyField },
    { title: 'no spec at all' },
    { title: 'an empty spec', spec: {} },
    {
      title: 'empty parts, as Go programs write them',
      spec: { cpu: {}, network: {}, os: {}, provider: 'kubevirt', providerConfig: {}, backup: {} },
      becomes: { cpu: {}, network: {}, os: {}, providerConfig: {}, backup: {} },
    },
    {
      title: 'fields of a provider are kept at every level',
      spec: unknownEverywhere,
      becomes: unknownEverywhere,
    },
    {
      title: 'fields of a provider are kept in an update',
      from: { cpu: { cores: 2 } },
      spec: unknownEverywhere,
      becomes: unknownEverywhere,
    },
    {
      title: 'nothing where the schema knows the field is dropped',
      spec: { cpu: null, disks: [{ name: null }], theirs: null },
      becomes: { theirs: null },
      drops: ['cpu', 'disks[0].name'],
    },
    { title: 'no memory', spec: { memory: 0 }, becomes: { memory: 0 } },
    ...ranges.flatMap(({ at, least, most, put }) =>
      [least, most].map((value) => ({
        title: `${at} of ${value}`,
        spec: put(value),
        becomes: put(value),
      })),
    ),
    ...['amd64', 'arm64', 'x86_64'].map((architecture) => ({
      title: `the architecture ${architecture}`,
      spec: { os: { architecture } },
    })),
    ...['noCloud', 'configDrive'].map((type) => ({
      title: `first-boot data by ${type}`,
      spec: { cloudInit: { type } },
    })),
    {
      title: 'first-boot data; the way has a default',
      spec: { cloudInit: { userData: '#cloud-config\n' } },
      becomes: { cloudInit: { type: 'noCloud' } },
    },
    {
      title: 'another size and another provider later on',
      from: { provider: 'kubevirt', cpu: { cores: 2 } },
      spec: { provider: 'proxmox', cpu: { cores: 4 } },
      becomes: { provider: 'proxmox', cpu: { cores: 4 } },
    },
  ],
  refused: [...wrongValues, ...wrongTypeCases(everyField)],
}
