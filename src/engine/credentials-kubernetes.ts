import type { Clock } from '#base/clock.ts'
import { OperatorError } from '#base/operator-error.ts'
import type { ApiAccess } from '#kube/access.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { kubernetesAdminCertificate } from '#machineconfig/secrets/certificates.ts'
import { plainPem, privateKeyOf } from '#machineconfig/secrets/private-key.ts'
import { RenewedCertificate } from './credentials-renewed.ts'

interface Options {
  bundle: SecretsBundle
  clusterName: string
  /** `https://host:6443`. */
  endpoint: string
  clock: Clock
}

/**
 * Access to a cluster's own Kubernetes API as its administrator, with a certificate that is made when it
 * is first asked for and anew after half of its life. Throws when the endpoint is no https URL.
 */
export function kubernetesAccess({ bundle, clusterName, endpoint, clock }: Options): ApiAccess {
  const { kubernetes } = bundle
  const client = new RenewedCertificate({
    clock,
    authority: kubernetes.certificate,
    make: async (life) => {
      const { certificate, key } = await kubernetesAdminCertificate({ ca: kubernetes, ...life })
      // Talos has a label for Ed25519 keys that OpenSSL does not know.
      return { certificate, key: plainPem(privateKeyOf(key)) }
    },
  })
  return {
    origin: `the secrets of cluster ${JSON.stringify(clusterName)}`,
    server: serverAt(endpoint),
    ...{ skipVerify: false, isOneOfMany: true },
    namespace: 'default',
    authority: async () => kubernetes.certificate,
    credentials: async ({ renew }) => ({
      certificate: await (renew ? client.renewed() : client.current()),
    }),
  }
}

function serverAt(endpoint: string): URL {
  const server = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (server?.protocol === 'https:') return server
  throw new OperatorError('ValidationError', {
    message: `the endpoint ${JSON.stringify(endpoint.slice(0, 200))} is no URL that begins with https://`,
  })
}
