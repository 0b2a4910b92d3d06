import { systemClock } from '#base/clock.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { kubernetesAdminCertificate } from '#machineconfig/secrets/certificates.ts'
import { connect, type Send } from './conformance/kubernetes/https-json.ts'

/** Who may do anything in a cluster of these secrets, over TLS as anybody else. */
export async function anAdmin({ kubernetes: ca }: SecretsBundle, port: number): Promise<Send> {
  const { certificate, key } = await kubernetesAdminCertificate({ ca, now: systemClock.now() })
  return connect(`https://127.0.0.1:${port}`, ca.certificate, { certificate, key: key.open() })
}
