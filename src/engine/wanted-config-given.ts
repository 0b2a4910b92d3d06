import type { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { Role } from '#machineconfig/generate/options.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { bundleFromConfig } from '#machineconfig/secrets/bundle-from-config.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import { decodedPem } from '#machineconfig/secrets/encoded-pem.ts'

// The most that a ConfigMap can hold.
const MOST_CHARACTERS = 1024 ** 2

/** For which machine a configuration was given. */
export interface GivenFor {
  role: Role
  talosVersion: string
  bundle: SecretsBundle
}

/**
 * A configuration that a user wrote, as it is. Throws a ConfigError if the machine's version does not have
 * what it says, if it is for the other role, or if it belongs to another cluster.
 */
export function givenConfig(text: string, { role, talosVersion, bundle }: GivenFor): MachineConfig {
  const config = read(text, talosVersion)
  checkRole(config, role)
  const foreign =
    role === 'controlplane' ? foreignParts(config, bundle) : foreignTrust(config, bundle)
  if (foreign.length === 0) return config
  throw new ConfigError(
    `configRef: it is the configuration of another cluster: ${foreign.join(', ')} differ from those in the Secret of this one. Take it from a machine of this cluster, or remove configRef`,
  )
}

function read(text: string, talosVersion: string): MachineConfig {
  if (text.length > MOST_CHARACTERS) throw new ConfigError('configRef: it is larger than 1 MiB')
  if (text.trim() === '') throw new ConfigError('configRef: it holds no configuration')
  return inConfigRef(() => readConfig(text.trim(), { talosVersion }))
}

function inConfigRef<Result>(act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`configRef: ${error.message}`) : error
  }
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ['controlplane', 'a control plane'],
  ['worker', 'a worker'],
  // Such a machine begins a cluster of its own as soon as it runs.
  ['init', 'an init node, which Talos no longer knows'],
])

function checkRole(config: MachineConfig, role: Role): void {
  const type = new ConfigPlace(config.legacy?.fields).text('machine', 'type')
  if (type === role) return
  const is = ROLES.get(type) ?? 'a machine without `machine.type`'
  throw new ConfigError(
    `configRef: it is the configuration of ${is}, and this machine is ${ROLES.get(role)}`,
  )
}

type Part = [name: string, of: (bundle: SecretsBundle) => string]

const open = (secret: Secret<string>): string => secret.open()

const PARTS: readonly Part[] = [
  ['cluster.id', ({ cluster }) => cluster.id],
  ['cluster.secret', ({ cluster }) => open(cluster.secret)],
  ['cluster.token', ({ bootstrapToken }) => open(bootstrapToken)],
  ['the encryption key of etcd', ({ encryption }) => `${encryption.as} ${open(encryption.secret)}`],
  ['machine.token', ({ trustdToken }) => open(trustdToken)],
  ['cluster.etcd.ca', ({ etcd }) => `${etcd.certificate.trim()} ${open(etcd.key).trim()}`],
  [
    'cluster.ca',
    ({ kubernetes }) => `${kubernetes.certificate.trim()} ${open(kubernetes.key).trim()}`,
  ],
  [
    'cluster.aggregatorCA',
    ({ aggregator }) => `${aggregator.certificate.trim()} ${open(aggregator.key).trim()}`,
  ],
  ['cluster.serviceAccount.key', ({ serviceAccountKey }) => open(serviceAccountKey).trim()],
  ['machine.ca', ({ talos }) => `${talos.certificate.trim()} ${open(talos.key).trim()}`],
]

/** The parts of the bundle that a control plane has otherwise. */
function foreignParts(config: MachineConfig, bundle: SecretsBundle): string[] {
  const own = inConfigRef(() => bundleFromConfig(config))
  return PARTS.filter(([, of]) => of(own) !== of(bundle)).map(([name]) => name)
}

/** A worker has no keys, but it knows whom to trust and how to ask. */
function foreignTrust(config: MachineConfig, bundle: SecretsBundle): string[] {
  const legacy = new ConfigPlace(config.legacy?.fields)
  const known: [name: string, has: string, wants: string][] = [
    ['machine.token', legacy.text('machine', 'token'), open(bundle.trustdToken)],
    ['cluster.token', legacy.text('cluster', 'token'), open(bundle.bootstrapToken)],
    ['machine.ca', certificate(legacy.text('machine', 'ca', 'crt')), bundle.talos.certificate],
    ['cluster.ca', certificate(legacy.text('cluster', 'ca', 'crt')), bundle.kubernetes.certificate],
  ]
  return known
    .filter(([, has, wants]) => has !== '' && has.trim() !== wants.trim())
    .map(([name]) => name)
}

function certificate(encoded: string): string {
  const pem = decodedPem(encoded)
  return pem instanceof Refusal ? encoded : pem
}
