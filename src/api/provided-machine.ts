// The contract with machine providers: we write the spec, a provider makes the machine and writes
// the status. Both are open, so that what a provider adds of its own passes through untouched.

import { ageColumn, defineKind, type Resource, VITISTACK_GROUP } from './meta.ts'
import {
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  type TSchema,
  text,
  textMap,
} from './schema.ts'

const part = <Properties extends Record<string, TSchema>>(
  description: string,
  properties: Properties,
) => object(description, properties, { open: true })

const cpu = part('Processors.', {
  cores: optional(integer('Cores per socket.', { minimum: 1, maximum: 256 })),
  sockets: optional(integer('Sockets.', { minimum: 1, maximum: 16 })),
  threadsPerCore: optional(integer('Threads per core.', { minimum: 1, maximum: 8 })),
})

const disk = part('One disk.', {
  name: optional(text('Name of the disk.')),
  sizeGB: optional(integer('Size in gigabytes.', { minimum: 1, maximum: 65536 })),
  type: optional(text('Class of the storage, in the provider’s words.')),
  boot: optional(flag('Whether the machine boots from it.')),
  device: optional(text('Device path inside the machine.')),
  encrypted: optional(flag('Whether the provider encrypts it.')),
  iops: optional(integer('Operations per second.', { minimum: 100, maximum: 64000 })),
  throughput: optional(integer('Megabytes per second.', { minimum: 125, maximum: 4000 })),
})

const network = part('Network of the machine.', {
  networkNamespaceName: optional(text('Network namespace that the machine is put in.')),
  vpc: optional(text('Virtual network.')),
  subnet: optional(text('Subnet.')),
  assignPublicIP: optional(flag('Whether to assign a public address.')),
  privateIP: optional(text('Private address that is wanted.')),
  publicIP: optional(text('Public address that is wanted.')),
  interfaces: optional(
    list(
      'Network interfaces.',
      part('One interface.', {
        name: optional(text('Name of the interface.')),
        subnet: optional(text('Subnet of the interface.')),
        primary: optional(flag('Whether this is the main interface.')),
        securityGroups: optional(list('Security groups.', text('Name of a security group.'))),
      }),
    ),
  ),
})

const os = part('What the machine boots first.', {
  family: optional(text('Family of the operating system, `linux`.')),
  distribution: optional(text('Distribution, `talos`.')),
  version: optional(text('Version of the distribution.')),
  architecture: optional(oneOf('Architecture.', ['amd64', 'arm64', 'x86_64'])),
  imageID: optional(text('Image that the provider knows.')),
  imageFamily: optional(text('Image family that the provider knows.')),
  isoUri: optional(text('URL of a boot medium.')),
})

const providerConfig = part('Settings for the provider.', {
  name: optional(text('Name of the provider’s configuration.')),
  region: optional(text('Region.')),
  zone: optional(text('Zone.')),
  config: optional(textMap('Further settings, in the provider’s words.')),
  credentialsRef: optional(
    part('Credentials of the provider.', {
      secretName: optional(text('Name of the Secret.')),
      namespace: optional(text('Namespace of the Secret.')),
    }),
  ),
})

const keyReference = (what: string) =>
  optional(
    part(`A key of a ${what} that holds it.`, {
      name: text(`Name of the ${what}.`),
      key: optional(text(`Key of the ${what}.`)),
    }),
  )

const cloudInit = part('First-boot data. Talos reads its network part only.', {
  type: oneOf('How the data reaches the machine.', ['noCloud', 'configDrive'], {
    default: 'noCloud',
  }),
  userData: optional(text('User data.')),
  userDataBase64: optional(text('User data, base64.')),
  userDataSecretRef: keyReference('Secret'),
  userDataConfigMapRef: keyReference('ConfigMap'),
  networkData: optional(text('Network data.')),
  networkDataBase64: optional(text('Network data, base64.')),
  networkDataSecretRef: keyReference('Secret'),
  networkDataConfigMapRef: keyReference('ConfigMap'),
})

const talosConfig = part('What the machine becomes. Written by the operator.', {
  machineType: optional(text('Role in the cluster: controlplane or worker.')),
  clusterEndpoint: optional(text('URL of the cluster’s Kubernetes API.')),
  installDisk: optional(text('Disk that Talos is installed on.')),
  cluster: optional(
    part('Settings of the cluster that the machine joins.', {
      network: optional(
        part('Network of the cluster.', {
          dnsDomain: optional(text('DNS domain.')),
          podSubnets: optional(list('Address ranges of pods.', text('A CIDR.'))),
          serviceSubnets: optional(list('Address ranges of Services.', text('A CIDR.'))),
        }),
      ),
    }),
  ),
})

/** The spec of a Machine, which is also what a machine template holds. */
export const providedMachineSpec = part(
  'The machine that is wanted. Fields that are not named here are kept for the provider.',
  {
    name: optional(text('Name of the machine at the provider.', { minLength: 1 })),
    machineClass: optional(text('Size of the machine, by name.', { minLength: 1 })),
    machineType: optional(text('Size of the machine, in the provider’s words.')),
    provider: optional(text('Which provider makes the machine.')),
    providerConfig: optional(providerConfig),
    cpu: optional(cpu),
    memory: optional(integer('Memory in bytes.', { format: 'int64', minimum: 0 })),
    disks: optional(list('Disks.', disk)),
    network: optional(network),
    os: optional(os),
    cloudInit: optional(cloudInit),
    userData: optional(text('User data.')),
    sshKeys: optional(list('SSH keys. Talos has no SSH.', text('A public key.'))),
    tags: optional(textMap('Tags at the provider.')),
    securityGroups: optional(list('Security groups.', text('Name of a security group.'))),
    monitoring: optional(flag('Whether the provider monitors the machine.')),
    backup: optional(
      part('Backups that the provider takes.', {
        enabled: optional(flag('Whether it does.')),
        schedule: optional(text('When, as cron.')),
        retentionDays: optional(integer('How many days backups are kept.')),
      }),
    ),
    talosConfig: optional(talosConfig),
  },
)

const diskStatus = part('One disk.', {
  name: optional(text('Name of the disk.')),
  device: optional(text('Device path inside the machine.')),
  size: optional(integer('Size in bytes.', { format: 'int64' })),
  type: optional(text('Type of the disk.')),
  pvcName: optional(text('Volume claim behind the disk.')),
  volumeMode: optional(text('Volume mode.')),
  accessModes: optional(list('Access modes of the volume.', text('An access mode.'))),
  filesystemType: optional(text('Type of the file system.')),
  mountPoint: optional(text('Where it is mounted.')),
  label: optional(text('Label.')),
  usedBytes: optional(integer('Bytes in use.', { format: 'int64' })),
  availableBytes: optional(integer('Bytes that are free.', { format: 'int64' })),
  usagePercent: optional(text('Share in use.')),
  serialNumber: optional(text('Serial number.')),
  uuid: optional(text('UUID.')),
})

const interfaceStatus = part('One interface.', {
  name: optional(text('Name of the interface.')),
  macAddress: optional(text('MAC address.')),
  ipAddresses: optional(list('IPv4 addresses.', text('An address.'))),
  ipv6Addresses: optional(list('IPv6 addresses.', text('An address.'))),
  state: optional(text('State of the interface.')),
  type: optional(text('Type of the interface.')),
  mtu: optional(integer('MTU.')),
})

const addresses = (description: string) => optional(list(description, text('An address.')))

/** A machine as a provider makes it, before there is Talos on it. */
export const ProvidedMachine = defineKind({
  group: VITISTACK_GROUP,
  version: 'v1alpha1',
  kind: 'Machine',
  plural: 'machines',
  stem: 'provided-machine',
  shortNames: ['m'],
  description:
    'A machine that a provider makes. Generated from a KubernetesCluster, one for each of its replicas.',
  columns: [
    { name: 'Phase', jsonPath: '.status.phase', type: 'string', description: 'Phase.' },
    { name: 'State', jsonPath: '.status.state', type: 'string', description: 'Power state.' },
    {
      name: 'Public IPs',
      jsonPath: '.status.publicIPAddresses',
      type: 'string',
      description: 'Public addresses.',
    },
    { name: 'Provider', jsonPath: '.spec.provider', type: 'string', description: 'Provider.' },
    {
      name: 'Machine Class',
      jsonPath: '.spec.machineClass',
      type: 'string',
      description: 'Size by name.',
    },
    ageColumn,
  ],
  specRequired: false,
  spec: providedMachineSpec,
  status: part('The machine that is there. Written by the provider.', {
    phase: optional(
      text('Pending, Creating, Running, Stopping, Stopped, Terminating, Terminated or Failed.'),
    ),
    state: optional(text('Power state, in the provider’s words.')),
    message: optional(text('What goes on, for a person.')),
    failureReason: optional(text('Why the machine failed, one word.')),
    failureMessage: optional(text('Why the machine failed, for a person.')),
    provider: optional(text('Provider that made the machine.')),
    providerID: optional(text('Id at the provider.')),
    machineID: optional(text('Id of the machine.')),
    region: optional(text('Region.')),
    zone: optional(text('Zone.')),
    hostname: optional(text('Host name.')),
    architecture: optional(text('Architecture.')),
    operatingSystem: optional(text('Operating system.')),
    operatingSystemVersion: optional(text('Version of the operating system.')),
    kernelVersion: optional(text('Version of the kernel.')),
    ipAddresses: addresses('All IPv4 addresses.'),
    ipv6Addresses: addresses('All IPv6 addresses.'),
    publicIPAddresses: addresses('Public addresses.'),
    privateIPAddresses: addresses('Private addresses.'),
    networkInterfaces: optional(list('Network interfaces.', interfaceStatus)),
    cpus: optional(integer('Processors.')),
    memory: optional(integer('Memory in bytes.', { format: 'int64' })),
    disks: optional(list('Disks.', diskStatus)),
    bootTime: optional(text('When it last booted.', { format: 'date-time' })),
    creationTime: optional(text('When it was made.', { format: 'date-time' })),
    lastUpdated: optional(text('When the provider last looked.', { format: 'date-time' })),
    conditions: optional(
      list(
        'Conditions, as far as the provider writes them.',
        part('One aspect of the machine.', {
          type: optional(text('Which aspect.')),
          status: optional(text('True, False or Unknown.')),
          reason: optional(text('One word.')),
          message: optional(text('The same for a person.')),
          lastTransitionTime: optional(text('When status last changed.', { format: 'date-time' })),
        }),
      ),
    ),
  }),
  conditions: { Ready: 'The machine runs. Written by the provider.' },
})
export type ProvidedMachine = Resource<typeof ProvidedMachine>
