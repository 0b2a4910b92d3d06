import { parseDuration } from '#base/duration.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import { decodedPem } from '#machineconfig/secrets/encoded-pem.ts'
import type { KubeconfigOptions } from '#machineconfig/secrets/kubeconfig.ts'

type Access = Pick<KubeconfigOptions, 'clusterName' | 'endpoint' | 'acceptedCas' | 'lifetimeMs'>

/** How the Kubernetes of a cluster is reached, as the configuration of its control planes says. */
export function clusterAccess(config: MachineConfig): Access {
  const cluster = new ConfigPlace(config.legacy?.fields).at('cluster')
  const document = (kind: string) =>
    new ConfigPlace(config.documents.find((one) => one.kind.kind === kind)?.fields)
  const kubernetes = document('KubeClusterConfig')
  const lifetime = cluster.text('adminKubeconfig', 'certLifetime')
  return {
    clusterName: kubernetes.text('clusterName') || cluster.text('clusterName'),
    endpoint: kubernetes.text('endpoint') || cluster.text('controlPlane', 'endpoint'),
    acceptedCas: [
      ...cluster.at('acceptedCAs').items.map((one) => pemOf(one.text('crt'))),
      ...document('KubeAPIServerCAConfig')
        .at('acceptedCAs')
        .items.map(({ value }) => (typeof value === 'string' ? value : '')),
    ].filter((pem) => pem !== ''),
    ...(lifetime && { lifetimeMs: parseDuration(lifetime).ms }),
  }
}

function pemOf(text: string): string {
  const pem = decodedPem(text)
  return typeof pem === 'string' ? pem : ''
}
