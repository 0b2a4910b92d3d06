import type { ConfigFacts } from '#simulator/machine/config-facts.ts'
import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'

const k8s = placed('k8s', 'kubernetes.talos.dev')
const controlPlane = placed('controlplane', 'kubernetes.talos.dev')

const NOTHING = { extraArgs: {}, extraVolumes: [], environmentVariables: {} }
const NO_RESOURCES = { resources: { requests: {}, limits: {} } }

/** The configuration of the control plane components, and their static pods. */
export function controlPlaneResources(view: MachineView, facts: ConfigFacts): ShownResource[] {
  const { hasStaticPods, apiServers, staticPods } = view
  return [
    ...componentConfigs(view, facts),
    controlPlane('Endpoints', 'controlplane', { addresses: apiServers, hosts: [] }),
    ...(facts.hasDiscovery
      ? [controlPlane('Endpoints', 'discovery', { addresses: apiServers, hosts: [] })]
      : []),
    ...(hasStaticPods ? staticPodResources(facts) : []),
    ...staticPods.map(({ id, status }) => k8s('StaticPodStatuses', id, status)),
    ...(view.isApiUp
      ? [
          controlPlane('ManifestStatuses', 'manifests', {
            manifestsApplied: manifestNames(facts),
          }),
        ]
      : []),
  ]
}

function componentConfigs({ address }: MachineView, facts: ConfigFacts): ShownResource[] {
  const { images, serviceSubnets, podSubnets, endpoint } = facts
  return [
    controlPlane('APIServerConfigs', 'kube-apiserver', {
      image: images.apiServer,
      cloudProvider: '',
      controlPlaneEndpoint: endpoint,
      etcdServers: ['https://localhost:2379'],
      localPort: 6443,
      serviceCIDR: serviceSubnets,
      ...NOTHING,
      advertisedAddress: address,
      ...NO_RESOURCES,
    }),
    controlPlane('ControllerManagerConfigs', 'kube-controller-manager', {
      enabled: true,
      image: images.controllerManager,
      cloudProvider: '',
      podCIDRs: podSubnets,
      serviceCIDRs: serviceSubnets,
      ...NOTHING,
      ...NO_RESOURCES,
    }),
    controlPlane('SchedulerConfigs', 'kube-scheduler', {
      enabled: true,
      image: images.scheduler,
      ...NOTHING,
      ...NO_RESOURCES,
      config: {},
    }),
  ]
}

function staticPodResources({ images }: ConfigFacts): ShownResource[] {
  const pods: [name: string, image: string][] = [
    ['kube-apiserver', images.apiServer],
    ['kube-controller-manager', images.controllerManager],
    ['kube-scheduler', images.scheduler],
  ]
  const ready = { ready: true, version: '1' }
  return [
    controlPlane('ConfigStatuses', 'static-pods', ready),
    controlPlane('SecretStatuses', 'static-pods', ready),
    ...pods.map(([name, image]) => k8s('StaticPods', name, podOf(name, image))),
  ]
}

const podOf = (name: string, image: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'kube-system', labels: { 'k8s-app': name, tier: 'control-plane' } },
  spec: { containers: [{ name, image, command: [`/usr/local/bin/${name}`] }], hostNetwork: true },
})

const manifestNames = ({ cni, hasKubeProxy, hasCoreDns }: ConfigFacts): string[] => [
  '00-kubelet-bootstrapping-token',
  '01-csr-node-bootstrap',
  ...(cni === 'flannel' ? ['05-flannel'] : []),
  ...(hasKubeProxy ? ['10-kube-proxy'] : []),
  ...(hasCoreDns ? ['11-core-dns', '11-core-dns-svc'] : []),
  '11-kube-config-in-cluster',
]
