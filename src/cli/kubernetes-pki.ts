import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { quote } from '#machineconfig/quote.ts'
import type { CertificateAndKey } from '#machineconfig/secrets/bundle.ts'
import { demandAccountKey, demandPair } from '#machineconfig/secrets/demand-pem.ts'
import type { KubernetesSecrets } from '#machineconfig/secrets/generate-bundle.ts'
import { named, readText } from './key-file.ts'

/**
 * The secrets in a folder such as /etc/kubernetes/pki of a kubeadm cluster. Throws in the words of talosctl,
 * and for the first file that it cannot use.
 */
export async function readKubernetesPki(folder: string): Promise<KubernetesSecrets> {
  const found = await named(folder, () => stat(folder))
  if (!found.isDirectory()) throw new ConfigError(`${quote(folder)} is not a directory`)
  const kubernetes = await pairAt(join(folder, 'ca'))
  const etcd = await pairAt(join(folder, 'etcd', 'ca'))
  const aggregator = await pairAt(join(folder, 'front-proxy-ca'))
  const serviceAccountKey = demandAccountKey(new Secret(await readText(join(folder, 'sa.key'))))
  return { etcd, kubernetes, aggregator, serviceAccountKey }
}

async function pairAt(path: string): Promise<CertificateAndKey> {
  const certificate = await readText(`${path}.crt`)
  return demandPair({ certificate, key: new Secret(await readText(`${path}.key`)) })
}
