import { Secret } from '#base/secret.ts'
import { toYaml } from '#base/yaml.ts'
import type { CertificateAndKey } from './bundle.ts'
import { kubernetesAdminCertificate } from './certificates.ts'
import { encodedPem } from './encoded-pem.ts'

export interface KubeconfigOptions {
  readonly clusterName: string
  /** `https://host:6443`, as given. */
  readonly endpoint: string
  /** Of Kubernetes. */
  readonly ca: CertificateAndKey
  /** Certificates of authorities that are trusted besides, PEM: those of a rotation. */
  readonly acceptedCas?: readonly string[]
  /** Left out: a year. */
  readonly lifetimeMs?: number
  readonly now: Date
}

/** The kubeconfig of the administrator, with a new certificate, as a control plane machine gives it out. */
export async function kubeconfigFor(options: KubeconfigOptions): Promise<Secret<string>> {
  const { clusterName, endpoint, ca, acceptedCas = [] } = options
  const client = await kubernetesAdminCertificate(options)
  const admin = `admin@${clusterName}`
  return new Secret(
    toYaml({
      apiVersion: 'v1',
      clusters: [
        {
          cluster: {
            'certificate-authority-data': encodedPem([...acceptedCas, ca.certificate].join('')),
            server: endpoint,
          },
          name: clusterName,
        },
      ],
      contexts: [
        { context: { cluster: clusterName, namespace: 'default', user: admin }, name: admin },
      ],
      'current-context': admin,
      kind: 'Config',
      users: [
        {
          name: admin,
          user: {
            'client-certificate-data': encodedPem(client.certificate),
            'client-key-data': encodedPem(client.key.open()),
          },
        },
      ],
    }),
  )
}
