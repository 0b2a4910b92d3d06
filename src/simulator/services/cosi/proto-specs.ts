import { create, toBinary } from '@bufbuild/protobuf'
import type { MachineResource } from '#simulator/resources/resource-store.ts'
import { MachineConfigSpecSchema } from '#talos/generated/resource/config_pb.ts'
import {
  address,
  base64,
  encodeSpec,
  flag,
  integer,
  list,
  message,
  type Shape,
  struct,
  text,
  url,
  word,
} from './proto-fields.ts'

const MACHINE_TYPES = ['unknown', 'init', 'controlplane', 'worker']
const STAGES = [
  ...['unknown', 'booting', 'installing', 'maintenance', 'running', 'rebooting'],
  ...['shutting down', 'resetting', 'upgrading'],
]
const VOLUME_PHASES = [
  ...['waiting', 'failed', 'missing', 'located', 'provisioned', 'prepared', 'ready', 'closed'],
]
const VOLUME_TYPES = ['partition', 'disk', 'tmpfs', 'directory', 'symlink', 'overlay', 'external']
const FILESYSTEMS = ['none', 'xfs', 'vfat', 'ext4', 'iso9660', 'swap', 'virtiofs']
const PAIR: Shape = { crt: base64(1), key: base64(2) }
const CERTIFICATE: Shape = { crt: base64(1) }

/** The types that clients read as protobuf, by their names. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [
    'ResourceDefinitions.meta.cosi.dev',
    {
      ...{ type: text(1), displayType: text(2), defaultNamespace: text(3) },
      ...{ aliases: list(text(4)), allAliases: list(text(5)) },
      printColumns: list(message(6, { name: text(1), jsonPath: text(2) })),
      sensitivity: word(7, ['', 'sensitive']),
    },
  ],
  ['Namespaces.meta.cosi.dev', { description: text(1) }],
  [
    'Members.cluster.talos.dev',
    {
      ...{ nodeId: text(1), addresses: list(address(2)), hostname: text(3) },
      ...{ machineType: word(4, MACHINE_TYPES), operatingSystem: text(5) },
      controlPlane: message(6, { port: integer(1) }),
    },
  ],
  [
    'MachineStatuses.runtime.talos.dev',
    {
      stage: word(1, STAGES),
      status: message(2, {
        ready: flag(1),
        unmetConditions: list(message(2, { name: text(1), reason: text(2) })),
      }),
    },
  ],
  ['Diagnostics.runtime.talos.dev', { message: text(1), details: list(text(2)) }],
  ['Services.v1alpha1.talos.dev', { running: flag(1), healthy: flag(2), unknown: flag(3) }],
  [
    'Nodenames.kubernetes.talos.dev',
    { nodename: text(1), hostnameVersion: text(2), skipNodeRegistration: flag(3) },
  ],
  [
    'KubeletSpecs.kubernetes.talos.dev',
    {
      ...{ image: text(1), args: list(text(2)), expectedNodename: text(4), config: struct(5) },
      credentialProviderConfig: struct(6),
    },
  ],
  ['APIServerConfigs.kubernetes.talos.dev', { image: text(1), localPort: integer(5) }],
  ['ControllerManagerConfigs.kubernetes.talos.dev', { enabled: flag(1), image: text(2) }],
  ['SchedulerConfigs.kubernetes.talos.dev', { enabled: flag(1), image: text(2) }],
  [
    'BootstrapManifestsConfigs.kubernetes.talos.dev',
    {
      ...{ string: text(1), clusterDomain: text(2), podCIDRs: list(text(3)) },
      ...{ proxyEnabled: flag(4), proxyImage: text(5), proxyArgs: list(text(6)) },
      ...{ coreDNSEnabled: flag(7), coreDNSImage: text(8), dnsServiceIP: text(9) },
      ...{ dnsServiceIPv6: text(10), flannelEnabled: flag(11), flannelImage: text(12) },
      ...{ talosAPIServiceEnabled: flag(15), cniName: text(21) },
    },
  ],
  [
    'VolumeStatuses.block.talos.dev',
    {
      ...{ phase: word(1, VOLUME_PHASES), location: text(2), errorMessage: text(3) },
      ...{ uuid: text(4), partitionUUID: text(5), parentLocation: text(7) },
      ...{ partitionIndex: integer(8), size: integer(9), filesystem: word(10, FILESYSTEMS) },
      ...{ mountLocation: text(11), prettySize: text(13), type: word(16, VOLUME_TYPES) },
    },
  ],
  [
    'OSRootSecrets.secrets.talos.dev',
    {
      ...{ issuingCA: message(1, PAIR), acceptedCAs: list(message(5, CERTIFICATE)) },
      ...{ certSANIPs: list(address(2)), certSANDNSNames: list(text(3)), token: text(4) },
    },
  ],
  [
    'KubernetesRootSecrets.secrets.talos.dev',
    {
      ...{ name: text(1), endpoint: url(2), local_endpoint: url(3), certSANs: list(text(4)) },
      ...{ dnsDomain: text(6), issuingCA: message(7, PAIR), apiServerIPs: list(address(14)) },
      ...{ aggregatorCA: message(9, PAIR), acceptedCAs: list(message(15, CERTIFICATE)) },
    },
  ],
])

/** The spec of a resource as protobuf; empty for types that are read as YAML alone. */
export function protoSpec({ type, spec }: MachineResource): Uint8Array {
  if (type === 'MachineConfigs.config.talos.dev') return configSpec(spec)
  // The object itself is the only field of these.
  if (type === 'StaticPodStatuses.kubernetes.talos.dev') {
    return encodeSpec({ itself: struct(1) }, { itself: spec })
  }
  if (type === 'StaticPods.kubernetes.talos.dev') {
    return encodeSpec({ itself: struct(1) }, { itself: spec })
  }
  if (type === 'Manifests.kubernetes.talos.dev') return manifestSpec(spec)
  const shape = SHAPES.get(type)
  return shape ? encodeSpec(shape, spec) : new Uint8Array()
}

function configSpec(spec: unknown): Uint8Array {
  const yamlMarshalled = Buffer.from(typeof spec === 'string' ? spec : '')
  return toBinary(MachineConfigSpecSchema, create(MachineConfigSpecSchema, { yamlMarshalled }))
}

/** A list of objects. */
const manifestSpec = (spec: unknown): Uint8Array =>
  encodeSpec(
    { items: list(message(1, { object: struct(1) })) },
    { items: Array.isArray(spec) ? spec.map((object) => ({ object })) : [] },
  )
