import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import { fingerprint } from '#base/fingerprint.ts'
import { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readEndpoint } from '#machineconfig/generate/endpoint.ts'
import { machineConfigFor } from '#machineconfig/generate/machine-config-for.ts'
import type { MachineOptions } from '#machineconfig/generate/machine-options.ts'
import type { Role } from '#machineconfig/generate/options.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import type { Patch } from '#machineconfig/patch/patch.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import { validateConfig } from '#machineconfig/validate/validate.ts'
import type { ComponentVersions } from '#machineconfig/versions/kubernetes-components.ts'
import { withKubernetesVersions } from '#machineconfig/versions/kubernetes-images.ts'
import { minorText } from '#machineconfig/versions/version.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { recordedFacts } from './cluster-facts.ts'
import type { ConfigRecord } from './config-record.ts'
import { movedVersions } from './kubernetes-record.ts'
import type { MachineSpec } from './pool.ts'
import { RecentlyUsed } from './recently-used.ts'
import { clusterOptionsOf, endpointOf, olderOf } from './wanted-config-cluster.ts'
import { givenConfig } from './wanted-config-given.ts'
import { keyFor } from './wanted-config-key.ts'

/** All that the configuration of a machine follows from. */
export interface MachineOrigin {
  controlPlane: ControlPlane
  /** The pool that the machine is of, if it is a worker. */
  worker?: Worker
  machine: Machine
  bundle: SecretsBundle
  /** What `configRef` leads to. It is then used as it is. */
  configText?: string
  /** The disk that was picked, for a machine whose spec names none. */
  installDisk?: string
}

/** What errors call the things that a user wrote in lists. */
export interface PlaceNames {
  configPatch(at: number): string
  additionalDocument(at: number): string
}

const IN_MACHINE: PlaceNames = {
  configPatch: (at) => `machineSpec.configPatches[${at}]`,
  additionalDocument: (at) => `machineSpec.additionalConfig[${at}]`,
}

const MOST_ERRORS = 3

// To make one takes milliseconds, and a pool asks for those of its machines one after the other. 40 KB each.
const made = new RecentlyUsed<MachineConfig>(32)
// One for each machine of a large fleet, and 200 bytes each: whoever only compares needs no more.
const recordsMade = new RecentlyUsed<ConfigRecord>(10_000)

/**
 * The configuration that a machine on metal is to have, as its version of Talos would take it. Throws a
 * ConfigError that names the patch, the document or the field that is wrong, and holds no secret.
 */
export function wantedConfig(origin: MachineOrigin, names = IN_MACHINE): MachineConfig {
  const key = keyFor(origin.bundle, partsOf(origin))
  const config = made.get(key) ?? makeConfig(origin, names)
  made.set(key, config)
  return config
}

/** The fingerprint of that configuration, and of what it is made from. Throws as that does. */
export function wantedRecord(origin: MachineOrigin): ConfigRecord {
  const key = keyFor(origin.bundle, partsOf(origin))
  const known = recordsMade.get(key) ?? {
    ...{ origin: originDigest(origin), config: configFingerprint(wantedConfig(origin)) },
  }
  recordsMade.set(key, known)
  return known
}

/**
 * A short text that is another one when something is that a machine's configuration follows from, and that outlives this
 * process. It tells an edit from another release of the operator, which may write the same otherwise. Only named fields
 * are in it: what is added to a spec later, or to the list of machines, is no edit of a machine.
 */
function originDigest(origin: MachineOrigin): string {
  const { controlPlane, worker, machine, bundle, configText, installDisk } = origin
  const { spec } = controlPlane
  const { clusterDomain, podCIDR, serviceCIDR, cni } = spec ?? {}
  const { endpoint, version, machineSpec } = machine.spec ?? {}
  // What was written down, or what it is taken to be: that a note is lost is no edit.
  const { contract = minorText(spec?.version ?? '') } = recordedFacts(controlPlane)
  return fingerprint([
    ...[controlPlane.metadata.name, endpointOf(controlPlane), bundle.cluster.id],
    ...[{ clusterDomain, podCIDR, serviceCIDR, cni }, contract, kubernetesFor(origin)],
    worker !== undefined,
    ...[{ endpoint, version, machineSpec }, configText, installDisk],
  ])
}

/** All that is read of an origin, but for its secrets, and the machine's name, which only errors say. */
const partsOf = ({ controlPlane, worker, machine, ...rest }: MachineOrigin) => [
  ...[controlPlane.metadata.name, controlPlane.spec, machine.spec],
  ...[recordedFacts(controlPlane), movedVersions(controlPlane), worker !== undefined, worker?.spec],
  ...[rest.configText, rest.installDisk],
]

function makeConfig(origin: MachineOrigin, names: PlaceNames): MachineConfig {
  const { controlPlane, worker, machine, bundle, configText } = origin
  const role: Role = worker ? 'worker' : 'controlplane'
  const { version } = demanded(machine.spec, `TalosMachine ${machine.metadata.name}`)
  demanded(controlPlane.spec, `TalosControlPlane ${controlPlane.metadata.name}`)
  const config =
    configText === undefined
      ? generated(origin, { role, names })
      : raised(givenConfig(configText, { role, talosVersion: version, bundle }), origin)
  check(config, { role, version })
  return config
}

const texts = new WeakMap<MachineConfig, Secret<string>>()

/** The text of a configuration, written once. */
export function wantedText(config: MachineConfig): Secret<string> {
  const text = texts.get(config) ?? new Secret(writeConfig(config))
  texts.set(config, text)
  return text
}

const fingerprints = new WeakMap<MachineConfig, string>()

/** The same text for the same configuration. Nothing of it can be read from that. */
export function configFingerprint(config: MachineConfig): string {
  const known = fingerprints.get(config) ?? fingerprint(wantedText(config).open())
  fingerprints.set(config, known)
  return known
}

function demanded<Spec>(spec: Spec | undefined, of: string): Spec {
  if (spec === undefined) throw new ConfigError(`${of} has no spec`)
  return spec
}

/** What a user wrote is used as it is; only what was upgraded here since does not go back to it. */
function raised(config: MachineConfig, origin: MachineOrigin): MachineConfig {
  if (movedVersions(origin.controlPlane) === undefined) return config
  const { base, versions } = kubernetesFor(origin)
  return withKubernetesVersions(config, versions ?? { kubelet: base })
}

/** Which Kubernetes a machine is to have, as far as no patch says otherwise. */
export function kubernetesFor({
  controlPlane,
  worker,
}: Pick<MachineOrigin, 'controlPlane' | 'worker'>): {
  base: string
  versions?: ComponentVersions
} {
  const asked = controlPlane.spec?.kubeVersion ?? ''
  const { kubeVersion = asked } = recordedFacts(controlPlane)
  // A kubelet must not be newer than the API server.
  if (worker) return { base: olderOf(kubeVersion, worker.spec?.kubeVersion ?? kubeVersion) }
  const versions = movedVersions(controlPlane)
  return { base: kubeVersion, ...(versions && { versions }) }
}

function generated(
  origin: MachineOrigin,
  { role, names }: { role: Role; names: PlaceNames },
): MachineConfig {
  const { controlPlane, machine, bundle } = origin
  const cluster = demanded(controlPlane.spec, `TalosControlPlane ${controlPlane.metadata.name}`)
  const { version, machineSpec } = demanded(machine.spec, `TalosMachine ${machine.metadata.name}`)
  const { additionalConfig = [] } = machineSpec ?? {}
  const { contract = cluster.version } = recordedFacts(controlPlane)
  const { base, versions } = kubernetesFor(origin)
  return machineConfigFor({
    role,
    cluster: clusterOptionsOf(controlPlane, cluster, {
      bundle,
      // A machine that is behind the others does not know what came after it.
      talos: olderOf(contract, version),
      kubernetes: base,
      ...(versions && { components: versions }),
    }),
    machine: optionsOf(origin, role),
    patches: patchesOf(machineSpec, names),
    additionalDocuments: additionalConfig.map((value, at) => ({
      name: names.additionalDocument(at),
      value,
    })),
  })
}

function optionsOf(origin: MachineOrigin, role: Role): MachineOptions {
  const { spec } = origin.machine
  const { installDisk, wipe, image, airGap, imageCache, allowSchedulingOnControlPlanes } =
    spec?.machineSpec ?? {}
  return {
    ...(spec && { talosVersion: spec.version }),
    // Without one, only a patch with a `diskSelector` makes it a configuration.
    installDisk: installDisk ?? origin.installDisk ?? '',
    wipe: wipe ?? false,
    ...(image !== undefined && { image }),
    airGap: airGap ?? false,
    imageCache: imageCache ?? false,
    allowSchedulingOnControlPlanes: allowSchedulingOnControlPlanes ?? false,
    certSans: sansOf(origin, role),
  }
}

/**
 * Names of the machine's own API. Talos itself adds the addresses that the machine sees on its links and its
 * host name, and to the certificate of the Kubernetes API the endpoint's host. It cannot know an address
 * that is translated on the way, nor that talosctl may come through the endpoint's load balancer.
 */
function sansOf({ machine, controlPlane }: MachineOrigin, role: Role): string[] {
  const own = machine.spec?.endpoint ?? ''
  const shared = role === 'controlplane' ? [readEndpoint(endpointOf(controlPlane)).host] : []
  return [...new Set([own, ...shared])].filter((name) => name !== '')
}

function patchesOf(spec: MachineSpec | undefined, names: PlaceNames): Patch[] {
  const { registries, configPatches = [] } = spec ?? {}
  const value = { machine: { registries } }
  return [
    ...(registries === undefined ? [] : [loadPatch({ name: 'machineSpec.registries', value })]),
    ...configPatches.map((patch, at) => loadPatch({ name: names.configPatch(at), value: patch })),
  ]
}

function check(config: MachineConfig, { role, version }: { role: Role; version: string }): void {
  const type = new ConfigPlace(config.legacy?.fields).text('machine', 'type')
  if (type !== role) {
    throw new ConfigError(`machine.type: a patch changes it, and this machine is a ${role}`)
  }
  const { errors } = validateConfig(config, { mode: 'metal', talosVersion: version })
  if (errors.length > 0) throw new ConfigError(errors.slice(0, MOST_ERRORS).join('\n').trim())
}
