// What a machine is and how it is.

import { fromBinary } from '@bufbuild/protobuf'
import { type Static, Type } from 'typebox'
import { Secret } from '#base/secret.ts'
import { MachineConfigSpecSchema } from '#talos/generated/resource/config_pb.ts'
import { fromYaml, type ResourceKind } from './resource-kind.ts'

const Text = Type.Optional(Type.String())
// Go writes a list that was never made as null.
const Texts = Type.Optional(Type.Union([Type.Null(), Type.Array(Type.String())]))
const Flag = Type.Optional(Type.Boolean())

const MachineStatus = Type.Object({
  stage: Type.String(),
  status: Type.Object({
    ready: Type.Boolean(),
    unmetConditions: Type.Optional(
      Type.Union([
        Type.Null(),
        Type.Array(Type.Object({ name: Type.String(), reason: Type.String() })),
      ]),
    ),
  }),
})

export const machineStatuses: ResourceKind<Static<typeof MachineStatus>> = {
  type: 'MachineStatuses.runtime.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(MachineStatus),
}

/** The text of a configuration. Its YAML form differs between versions, its protobuf form does not. */
export const machineConfigs: ResourceKind<Secret<string>> = {
  type: 'MachineConfigs.config.talos.dev',
  namespace: 'config',
  decode: (spec) => {
    const { yamlMarshalled } = fromBinary(
      MachineConfigSpecSchema,
      spec?.protoSpec ?? new Uint8Array(),
    )
    if (yamlMarshalled.length === 0) throw new Error('it has no text')
    return new Secret(Buffer.from(yamlMarshalled).toString('utf8'))
  },
}

/** `controlplane`, `worker`, `init` or `unknown`. */
export const machineTypes: ResourceKind<string> = {
  type: 'MachineTypes.config.talos.dev',
  namespace: 'config',
  decode: fromYaml(Type.String()),
}

const Version = Type.Object({ version: Type.String() })

/** Since v1.10, in maintenance mode too. */
export const versions: ResourceKind<Static<typeof Version>> = {
  type: 'Versions.runtime.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(Version),
}

const Extension = Type.Object({
  image: Text,
  metadata: Type.Object({
    name: Type.String(),
    version: Type.String(),
    author: Text,
    description: Text,
    extraInfo: Text,
  }),
})

/** One of these, named `schematic`, says what the image was made from. */
export const extensionStatuses: ResourceKind<Static<typeof Extension>> = {
  type: 'ExtensionStatuses.runtime.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(Extension),
}

const SystemInformation = Type.Object({
  manufacturer: Text,
  productName: Text,
  serialnumber: Text,
  uuid: Text,
})

export const systemInformations: ResourceKind<Static<typeof SystemInformation>> = {
  type: 'SystemInformations.hardware.talos.dev',
  namespace: 'hardware',
  decode: fromYaml(SystemInformation),
}

const Diagnostic = Type.Object({ message: Type.String(), details: Texts })

/** Since v1.8: what the machine warns of. */
export const diagnostics: ResourceKind<Static<typeof Diagnostic>> = {
  type: 'Diagnostics.runtime.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(Diagnostic),
}

const TimeStatus = Type.Object({
  synced: Type.Boolean(),
  epoch: Type.Optional(Type.Integer()),
  syncDisabled: Flag,
})

export const timeStatuses: ResourceKind<Static<typeof TimeStatus>> = {
  type: 'TimeStatuses.v1alpha1.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(TimeStatus),
}

const SecurityState = Type.Object({
  secureBoot: Type.Boolean(),
  ukiSigningKeyFingerprint: Text,
  pcrSigningKeyFingerprint: Text,
  bootedWithUKI: Flag,
})

export const securityStates: ResourceKind<Static<typeof SecurityState>> = {
  type: 'SecurityStates.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(SecurityState),
}

const PlatformMetadata = Type.Object({
  platform: Text,
  hostname: Text,
  region: Text,
  zone: Text,
  instanceType: Text,
  instanceId: Text,
  providerId: Text,
  spot: Flag,
})

export const platformMetadatas: ResourceKind<Static<typeof PlatformMetadata>> = {
  type: 'PlatformMetadatas.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(PlatformMetadata),
}

const MetaKey = Type.Object({ value: Type.String() })

/** By `0x0a`. */
export const metaKeys: ResourceKind<Static<typeof MetaKey>> = {
  type: 'MetaKeys.runtime.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(MetaKey),
}

const UnattendedInstallStatus = Type.Object({
  image: Text,
  /** `pending`, `installing`, `installed`, `waiting-for-reboot` or `failed`. */
  phase: Type.String(),
  error: Text,
})

/** Since v1.14. */
export const unattendedInstallStatuses: ResourceKind<Static<typeof UnattendedInstallStatus>> = {
  type: 'UnattendedInstallStatuses.runtime.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(UnattendedInstallStatus),
}

/** Since v1.14. There is one only while the machine is about to restart by itself. */
export const rebootRequests: ResourceKind<object> = {
  type: 'RebootRequests.runtime.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(Type.Object({})),
}

const Service = Type.Object({ running: Type.Boolean(), healthy: Flag, unknown: Flag })

/** There is one only while the service is up. */
export const services: ResourceKind<Static<typeof Service>> = {
  type: 'Services.v1alpha1.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(Service),
}

const Disk = Type.Object({
  dev_path: Type.String(),
  size: Type.Number(),
  readonly: Flag,
  cdrom: Flag,
  rotational: Flag,
  model: Text,
  serial: Text,
  wwid: Text,
  uuid: Text,
  bus_path: Text,
  transport: Text,
  symlinks: Texts,
})

/** Since v1.8. */
export const disks: ResourceKind<Static<typeof Disk>> = {
  type: 'Disks.block.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(Disk),
}

const SystemDisk = Type.Object({ diskID: Type.String(), devPath: Text })

/** Since v1.8. */
export const systemDisks: ResourceKind<Static<typeof SystemDisk>> = {
  type: 'SystemDisks.block.talos.dev',
  namespace: 'runtime',
  decode: fromYaml(SystemDisk),
}
