import { ownText } from '#base/own-text.ts'
import { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { errorText } from '#machineconfig/validate/error-list.ts'
import type { CertificateAndKey, SecretsBundle } from './bundle.ts'
import { type BundleDraft, completed } from './draft.ts'
import { decodedKey, decodedPem, encodedKey, encodedPem } from './encoded-pem.ts'
import { GoFields } from './go-fields.ts'
import { goLayout, type LayoutMap } from './go-layout.ts'

/**
 * The bundle in a `secrets.yaml`, or in its JSON form, whose keys are in capitals. Throws a
 * ConfigError with what `talosctl gen config --with-secrets` would say.
 */
export function readBundle(text: string): SecretsBundle {
  const found = completed(load(text))
  if (!Array.isArray(found)) return found
  const problems = found.map(({ part, why }) => `${part} ${why}`)
  throw new ConfigError(`failed to validate secrets bundle: ${errorText(problems)}`)
}

function load(text: string): BundleDraft {
  try {
    return GoFields.read(text, 'secrets.Bundle', draftIn)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`failed to load secrets bundle: ${error.message}`)
  }
}

function draftIn(file: GoFields): BundleDraft {
  const cluster = file.within('secrets.Cluster', 'cluster', 'Cluster')
  const secrets = file.within('secrets.Secrets', 'secrets', 'Secrets')
  const trustd = file.within('secrets.TrustdInfo', 'trustdinfo', 'TrustdInfo')
  const certs = file.within('secrets.Certs', 'certs', 'Certs')
  return {
    cluster: cluster && {
      id: ownText(cluster.text('id', 'Id')),
      secret: secretIn(cluster, 'Secret'),
    },
    secrets: secrets && {
      bootstrapToken: secretIn(secrets, 'BootstrapToken'),
      aescbc: secretIn(secrets, 'AESCBCEncryptionSecret'),
      secretbox: secretIn(secrets, 'SecretboxEncryptionSecret'),
    },
    trustd: trustd && { token: secretIn(trustd, 'Token') },
    certs: certs && {
      etcd: pairIn(certs, 'Etcd'),
      kubernetes: pairIn(certs, 'K8s'),
      aggregator: pairIn(certs, 'K8sAggregator'),
      talos: pairIn(certs, 'OS'),
      serviceAccountKey: keyWithin(certs, 'K8sServiceAccount'),
    },
  }
}

const secretIn = (fields: GoFields, name: string): Secret<string> =>
  new Secret(ownText(fields.text(name.toLowerCase(), name)))

function pairIn(certs: GoFields, name: string): CertificateAndKey | undefined {
  const pair = certs.within('x509.PEMEncodedCertificateAndKey', name.toLowerCase(), name)
  return pair && { certificate: certificateIn(pair), key: keyIn(pair) }
}

function keyWithin(certs: GoFields, name: string): Secret<string> | undefined {
  const fields = certs.within('x509.PEMEncodedKey', name.toLowerCase(), name)
  return fields && keyIn(fields)
}

function certificateIn(pair: GoFields): string {
  const pem = decodedPem(pair.text('crt', 'Crt'))
  if (!(pem instanceof Refusal)) return pem
  pair.refuse(pem.why)
  return ''
}

function keyIn(fields: GoFields): Secret<string> {
  const key = decodedKey(fields.text('key', 'Key'))
  if (!(key instanceof Refusal)) return key
  fields.refuse(key.why)
  return new Secret('')
}

/** The bundle as `talosctl gen secrets` writes it. */
export function writeBundle(bundle: SecretsBundle): Secret<string> {
  const { cluster, encryption } = bundle
  const encryptionKey = encryption.secret.open()
  return new Secret(
    goLayout({
      cluster: { id: cluster.id, secret: cluster.secret.open() },
      secrets: {
        bootstraptoken: bundle.bootstrapToken.open(),
        [`${encryption.as}encryptionsecret`]: encryptionKey,
      },
      trustdinfo: { token: bundle.trustdToken.open() },
      certs: {
        etcd: encodedPair(bundle.etcd),
        k8s: encodedPair(bundle.kubernetes),
        k8saggregator: encodedPair(bundle.aggregator),
        k8sserviceaccount: { key: encodedKey(bundle.serviceAccountKey) },
        os: encodedPair(bundle.talos),
      },
    }),
  )
}

const encodedPair = ({ certificate, key }: CertificateAndKey): LayoutMap => ({
  crt: encodedPem(certificate),
  key: encodedKey(key),
})
