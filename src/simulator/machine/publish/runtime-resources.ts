import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'

const runtime = placed('runtime', 'runtime.talos.dev')
const bare = placed('runtime', 'talos.dev')

// The first minor versions that have them.
const FIRST_WITH_VERSION = 10
const FIRST_WITH_BOOT_ID = 14
const FIRST_WITH_MOUNTS_ELSEWHERE = 11

/** About the machine as a whole: what runs on it, and where from. */
export function runtimeResources(view: MachineView): ShownResource[] {
  const { version, minor, platform, hostname, bootId, facts, hardware } = view
  const isMetal = platform === 'metal'
  return [
    bare('PlatformMetadatas', 'platformmetadata', {
      platform,
      ...(isMetal ? { instanceId: hardware.uuid } : { hostname }),
    }),
    bare('SecurityStates', 'securitystate', securityState(minor)),
    ...(minor >= FIRST_WITH_VERSION
      ? [runtime('Versions', 'version', { name: 'Talos', version })]
      : []),
    ...(minor >= FIRST_WITH_BOOT_ID ? [runtime('BootIDs', 'boot-id', { bootID: bootId })] : []),
    ...(isMetal ? [...extensionResources(view), ...mountResources(view)] : []),
    ...view.metaValues.map(([key, value]) =>
      runtime('MetaKeys', `0x${key.toString(16).padStart(2, '0')}`, {
        value: Buffer.from(value).toString(),
      }),
    ),
    ...(facts?.install.isUnattended ? [unattendedResource(view, facts.install.image)] : []),
    // Only what restarts the machine by itself asks for it: no configuration that was applied does.
    ...(view.isRestartDue ? [runtime('RebootRequests', 'reboot-request', {})] : []),
    ...(view.isInMaintenance ? [maintenanceResource(view)] : []),
    ...(facts?.type === 'controlplane' ? [accessResource(facts.kubernetesAccess)] : []),
  ]
}

function securityState(minor: number): unknown {
  return {
    secureBoot: false,
    ...(minor >= 10 && { selinuxState: 'enabled, permissive' }),
    ...(minor >= 12 && { fipsState: 'disabled' }),
  }
}

/** An image of the image factory carries its schematic as an extension, after those that it asks for. */
function extensionResources({
  schematic,
  extensions,
  minor,
  version,
}: MachineView): ShownResource[] {
  if (schematic === undefined) return []
  const compatibility = { talos: { version: `>= ${version}` } }
  const layers = [
    ...extensions.map((name, layer) => ({
      image: `${String(layer).padStart(3, '0')}.ghcr.io-siderolabs-${name}-${version}.sqsh`,
      metadata: {
        ...{ name, version, author: 'Sidero Labs', compatibility },
        description: `Pretends to be the system extension ${name}.`,
      },
    })),
    {
      image: '',
      metadata: {
        ...{ name: 'schematic', version: schematic, author: 'Image Factory', compatibility },
        description: 'Virtual extension which specifies the schematic of the image.',
      },
    },
  ]
  const shown = layers.map((spec, layer) => runtime('ExtensionStatuses', `${layer}`, spec))
  if (minor < FIRST_WITH_BOOT_ID) return shown
  const factory = { schematicId: schematic, flavor: 'metal', apiUrl: 'https://factory.talos.dev' }
  return [...shown, runtime('ImageFactorySchematics', 'image-factory-schematic', factory)]
}

function mountResources({ systemDisk, hasBootDisk, minor }: MachineView): ShownResource[] {
  if (systemDisk === undefined || minor >= FIRST_WITH_MOUNTS_ELSEWHERE) return []
  const mounts: [label: string, partition: number, target: string][] = [
    ['STATE', 5, '/system/state'],
    ...(hasBootDisk ? [['EPHEMERAL', 6, '/var'] satisfies [string, number, string]] : []),
  ]
  return mounts.map(([label, partition, target]) =>
    runtime('MountStatuses', label, {
      source: `${systemDisk}${partition}`,
      target,
      filesystemType: 'xfs',
      options: [],
      encrypted: false,
    }),
  )
}

function unattendedResource(view: MachineView, image: string): ShownResource {
  const phase = unattendedPhase(view)
  return runtime('UnattendedInstallStatuses', 'unattended-install', { image, phase, error: '' })
}

function unattendedPhase({ systemDisk, stage, isRestartDue }: MachineView): string {
  if (isRestartDue) return 'waiting-for-reboot'
  if (systemDisk !== undefined) return 'installed'
  return stage === 'installing' ? 'installing' : 'pending'
}

const maintenanceResource = ({ address }: MachineView): ShownResource =>
  runtime('MaintenanceServiceConfigs', 'maintenance', {
    listenAddress: address,
    reachableAddresses: [address],
  })

const accessResource = (access: {
  isEnabled: boolean
  roles: string[]
  namespaces: string[]
}): ShownResource =>
  placed('config', 'cluster.talos.dev')('KubernetesAccessConfigs', 'config', {
    enabled: access.isEnabled,
    allowedAPIRoles: access.roles,
    allowedKubernetesNamespaces: access.namespaces,
  })
