import { createHash, X509Certificate } from 'node:crypto'
import type { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { readBundle } from '#machineconfig/secrets/bundle-file.ts'
import { bundleFromConfig } from '#machineconfig/secrets/bundle-from-config.ts'
import { firstPemBlock } from '#machineconfig/secrets/pem.ts'
import { privateKeyOf } from '#machineconfig/secrets/private-key.ts'
import { RESTORE, unusable } from './cluster-secrets-error.ts'
import { RecentlyUsed } from './recently-used.ts'

interface Source {
  /** Where the text is from, for messages. */
  where: string
  remedy: string
}

/** The bundle in the text of a `secrets.yaml`. Throws a SecretsError that begins with `where`. */
export const bundleInText = (
  text: Secret<string>,
  where: string,
  remedy: string = RESTORE,
): SecretsBundle => usable({ where, remedy }, () => readBundle(text.open()))

interface ConfigSource {
  /** Where the configuration is from, for messages. */
  where: string
  /** The version that the machines run: what it does not have is refused. */
  talosVersion?: string | undefined
}

// To read one takes milliseconds, and while a cluster is imported each look at each of its machines asks for it.
const known = new RecentlyUsed<SecretsBundle>(32)

/**
 * The bundle in a whole configuration of a control plane machine, plain YAML. Throws a SecretsError that
 * begins with `where`.
 */
export function bundleFromConfigRef(
  text: string,
  { where, talosVersion }: ConfigSource,
): SecretsBundle {
  const key = createHash('sha256').update(`${talosVersion} ${text}`).digest('base64url')
  const bundle =
    known.get(key) ??
    usable({ where, remedy: CORRECT }, () =>
      bundleFromConfig(readConfig(text, talosVersion ? { talosVersion } : {})),
    )
  known.set(key, bundle)
  return bundle
}

/** What to do about a configuration that the secrets cannot be taken from. */
export const CORRECT =
  'Put the whole configuration of a control plane machine of this cluster there, or take spec.configRef away'

function usable({ where, remedy }: Source, read: () => SecretsBundle): SecretsBundle {
  try {
    const bundle = read()
    checkPairs(bundle)
    return bundle
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Talos' words come in lines; a condition is one.
    const why = error.message.replace(/\s+/g, ' ').trim()
    throw unusable(`${where}: ${why}`, remedy)
  }
}

/** What an authority signs with a key that is not its own is trusted by nobody, and would be renewed for ever. */
function checkPairs({ etcd, kubernetes, aggregator, talos }: SecretsBundle): void {
  const pairs = { etcd, k8s: kubernetes, k8saggregator: aggregator, os: talos }
  for (const [name, { certificate, key }] of Object.entries(pairs)) {
    if (!new X509Certificate(certificate).checkPrivateKey(privateKeyOf(key))) {
      throw new ConfigError(`certs.${name} is invalid: the key is not that of the certificate`)
    }
  }
}

/** Whether both are the secrets of the same cluster, all of them, however their PEM is laid out. */
export function isSameBundle(one: SecretsBundle, other: SecretsBundle): boolean {
  const [ours, theirs] = [valuesOf(one), valuesOf(other)]
  return ours.every((value, at) => value === theirs[at])
}

const valuesOf = (bundle: SecretsBundle): string[] => [
  bundle.cluster.id,
  bundle.cluster.secret.open(),
  bundle.bootstrapToken.open(),
  bundle.encryption.as,
  bundle.encryption.secret.open(),
  bundle.trustdToken.open(),
  ...[bundle.etcd, bundle.kubernetes, bundle.aggregator, bundle.talos].flatMap((pair) => [
    bytesOf(pair.certificate),
    bytesOf(pair.key.open()),
  ]),
  bytesOf(bundle.serviceAccountKey.open()),
]

const bytesOf = (pem: string): string => firstPemBlock(pem)?.der.toString('base64') ?? pem
