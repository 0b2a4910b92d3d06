import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { ClusterFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'
import type { ConfigFacts } from './config-facts.ts'

/** What the Kubernetes of a cluster is made from. */
export const clusterFacts = (facts: ConfigFacts, secrets: SecretsBundle): ClusterFacts => ({
  name: facts.clusterName,
  endpoint: facts.endpoint,
  secrets,
  dnsDomain: facts.dnsDomain,
  podSubnets: facts.podSubnets,
  serviceSubnets: facts.serviceSubnets,
  cni: facts.cni,
  hasKubeProxy: facts.hasKubeProxy,
  hasCoreDns: facts.hasCoreDns,
})
