import type { ConfigFacts } from '#simulator/machine/config-facts.ts'
import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import { kubeletArgs } from './command-lines.ts'
import { controlPlaneResources } from './control-plane-resources.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'

const k8s = placed('k8s', 'kubernetes.talos.dev')

const FIRST_WITH_KUBE_PRISM = 5
const FIRST_WITH_POD_CIDRS = 13

/** What a machine is in Kubernetes. */
export function kubernetesResources(view: MachineView): ShownResource[] {
  const { facts, hasBootDisk, isNetworkReady } = view
  if (!facts || !hasBootDisk || !isNetworkReady) return []
  return [
    k8s('Nodenames', 'nodename', {
      nodename: view.hostname,
      hostnameVersion: '1',
      skipNodeRegistration: facts.skipsNodeRegistration,
    }),
    k8s('NodeIPs', 'kubelet', { addresses: [view.address] }),
    kubeletResource(view, facts),
    ...nodeResources(view),
    ...kubePrismResources(view, facts),
    ...(facts.type === 'controlplane' ? controlPlaneResources(view, facts) : []),
  ]
}

function nodeResources({ node, hostname, minor, facts }: MachineView): ShownResource[] {
  if (!node || facts?.skipsNodeRegistration) return []
  return [
    k8s('NodeStatuses', hostname, {
      nodename: hostname,
      nodeReady: node.isReady,
      unschedulable: node.isUnschedulable,
      labels: node.labels,
      annotations: node.annotations,
      ...(minor >= FIRST_WITH_POD_CIDRS && { podCIDRs: node.podCidrs }),
    }),
  ]
}

const kubeletResource = ({ hostname, address }: MachineView, facts: ConfigFacts): ShownResource =>
  k8s('KubeletSpecs', 'kubelet', {
    image: facts.images.kubelet,
    args: kubeletArgs(facts, { hostname, address }),
    expectedNodename: hostname,
    config: {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      clusterDomain: facts.dnsDomain,
      kind: 'KubeletConfiguration',
      staticPodPath: '',
    },
  })

function kubePrismResources(
  { minor, isApiUp }: MachineView,
  { kubePrismPort }: ConfigFacts,
): ShownResource[] {
  if (kubePrismPort === undefined || minor < FIRST_WITH_KUBE_PRISM) return []
  return [
    k8s('KubePrismStatuses', 'k8s-loadbalancer', {
      host: `127.0.0.1:${kubePrismPort}`,
      healthy: isApiUp,
    }),
  ]
}
