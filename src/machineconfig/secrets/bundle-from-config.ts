import { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { errorText } from '#machineconfig/validate/error-list.ts'
import type { CertificateAndKey, SecretsBundle } from './bundle.ts'
import { ConfigPlace } from './config-place.ts'
import { type BundleDraft, completed, EITHER } from './draft.ts'
import { decodedKey, decodedPem } from './encoded-pem.ts'
import { secretboxIn } from './etcd-encryption.ts'

/**
 * The bundle that a control plane machine was configured with: in the legacy document, or in those
 * of v1.14. Throws a ConfigError that names all that is missing.
 */
export function bundleFromConfig(config: MachineConfig): SecretsBundle {
  const legacy = new ConfigPlace(config.legacy?.fields)
  const found = completed(draftOf(config, legacy))
  if (!Array.isArray(found)) return found
  const problems = found.map(({ part, why }) => `${NAMES.get(part) ?? part} ${why}`)
  const type = legacy.text('machine', 'type')
  const hint =
    type === 'controlplane'
      ? ''
      : `The configuration is not one of a control plane machine, and only those have all keys.\n`
  throw new ConfigError(
    `no secrets bundle can be made from the machine configuration: ${errorText(problems)}${hint}`,
  )
}

function draftOf(config: MachineConfig, legacy: ConfigPlace): BundleDraft {
  const inDocument = (kind: string) =>
    new ConfigPlace(config.documents.find((one) => one.kind.kind === kind)?.fields)
  const identity = inDocument('DiscoveryIdentityConfig')
  const secretbox = secretboxIn(inDocument('KubeEtcdEncryptionConfig'))
  return {
    cluster: {
      id: identity.text('clusterID') || legacy.text('cluster', 'id'),
      secret: new Secret(identity.text('clusterSecret') || legacy.text('cluster', 'secret')),
    },
    secrets: {
      bootstrapToken: new Secret(legacy.text('cluster', 'token')),
      aescbc: new Secret(legacy.text('cluster', 'aescbcEncryptionSecret')),
      secretbox: new Secret(secretbox || legacy.text('cluster', 'secretboxEncryptionSecret')),
    },
    trustd: { token: new Secret(legacy.text('machine', 'token')) },
    certs: {
      etcd: encodedPair(legacy, 'cluster', 'etcd', 'ca'),
      kubernetes:
        plainPair(inDocument('KubeAPIServerCAConfig')) ?? encodedPair(legacy, 'cluster', 'ca'),
      aggregator:
        plainPair(inDocument('KubeAggregatorCAConfig')) ??
        encodedPair(legacy, 'cluster', 'aggregatorCA'),
      talos: encodedPair(legacy, 'machine', 'ca'),
      serviceAccountKey: serviceAccountKey(inDocument('KubeServiceAccountConfig'), legacy),
    },
  }
}

function encodedPair(
  legacy: ConfigPlace,
  ...path: readonly string[]
): CertificateAndKey | undefined {
  const [crt, key] = [legacy.text(...path, 'crt'), legacy.text(...path, 'key')]
  // Workers have the certificate alone.
  return key === '' ? undefined : { certificate: decoded(crt), key: openedKey(key) }
}

function plainPair(document: ConfigPlace): CertificateAndKey | undefined {
  const [cert, key] = [document.text('issuingCA', 'cert'), document.text('issuingCA', 'key')]
  return key === '' ? undefined : { certificate: cert, key: new Secret(key) }
}

function serviceAccountKey(document: ConfigPlace, legacy: ConfigPlace): Secret<string> | undefined {
  const pem = document.text('issuer', 'privateKey')
  if (pem !== '') return new Secret(pem)
  const key = legacy.text('cluster', 'serviceAccount', 'key')
  return key === '' ? undefined : openedKey(key)
}

// What was read from a file is good base64; what a patch put there may not be, and is found to be no PEM.
function decoded(text: string): string {
  const pem = decodedPem(text)
  return pem instanceof Refusal ? '' : pem
}

function openedKey(text: string): Secret<string> {
  const key = decodedKey(text)
  return key instanceof Refusal ? new Secret('') : key
}

const ACCOUNT = '.cluster.serviceAccount.key or KubeServiceAccountConfig.issuer.privateKey'
const SECRETBOX = '.cluster.secretboxEncryptionSecret or KubeEtcdEncryptionConfig'

/** Where the parts of a bundle are in a configuration. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['cluster.id', '.cluster.id or DiscoveryIdentityConfig.clusterID'],
  ['cluster.secret', '.cluster.secret or DiscoveryIdentityConfig.clusterSecret'],
  ['secrets.bootstraptoken', '.cluster.token'],
  [`one of ${EITHER}`, `one of [${SECRETBOX}, .cluster.aescbcEncryptionSecret]`],
  [`only one of ${EITHER}`, `only one of [${SECRETBOX}, .cluster.aescbcEncryptionSecret]`],
  ['trustdinfo.token', '.machine.token'],
  ['certs.etcd', '.cluster.etcd.ca, with its key,'],
  ['certs.k8s', '.cluster.ca or KubeAPIServerCAConfig.issuingCA, with its key,'],
  [
    'certs.k8saggregator',
    '.cluster.aggregatorCA or KubeAggregatorCAConfig.issuingCA, with its key,',
  ],
  ['certs.os', '.machine.ca, with its key,'],
  ['certs.k8sserviceaccount', ACCOUNT],
  ['certs.k8sserviceaccount.key', ACCOUNT],
])
