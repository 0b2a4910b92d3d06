import { manifestNames } from '#simulator/kubernetes/bootstrap/manifests.ts'
import type { ConfigFacts } from '#simulator/machine/config-facts.ts'
import type { Flags } from '#simulator/machine/kubernetes-facts.ts'
import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import { apiServerCommand, controllersCommand, schedulerCommand } from './command-lines.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'

const k8s = placed('k8s', 'kubernetes.talos.dev')
const controlPlane = placed('controlplane', 'kubernetes.talos.dev')

const FIRST_WITH_LISTS = 13
const NOTHING = { extraVolumes: [], environmentVariables: {} }
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
    ...(hasStaticPods ? staticPodResources(view, facts) : []),
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

/** Further flags, as this version of Talos shows them. */
const shownFlags = (flags: Flags, minor: number): object =>
  Object.fromEntries(
    Object.entries(flags).map(([name, values]) => [
      name,
      minor >= FIRST_WITH_LISTS ? { values } : values.join(','),
    ]),
  )

function componentConfigs({ address, minor }: MachineView, facts: ConfigFacts): ShownResource[] {
  const { images, serviceSubnets, podSubnets, endpoint, extraArgs } = facts
  return [
    controlPlane('APIServerConfigs', 'kube-apiserver', {
      image: images.apiServer,
      cloudProvider: '',
      controlPlaneEndpoint: endpoint,
      etcdServers: ['https://localhost:2379'],
      localPort: 6443,
      serviceCIDR: serviceSubnets,
      extraArgs: shownFlags(extraArgs.apiServer, minor),
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
      extraArgs: shownFlags(extraArgs.controllerManager, minor),
      ...NOTHING,
      ...NO_RESOURCES,
    }),
    controlPlane('SchedulerConfigs', 'kube-scheduler', {
      enabled: true,
      image: images.scheduler,
      extraArgs: shownFlags(extraArgs.scheduler, minor),
      ...NOTHING,
      ...NO_RESOURCES,
      config: {},
    }),
  ]
}

function staticPodResources({ address }: MachineView, facts: ConfigFacts): ShownResource[] {
  const { images } = facts
  const ready = { ready: true, version: '1' }
  return [
    controlPlane('ConfigStatuses', 'static-pods', ready),
    controlPlane('SecretStatuses', 'static-pods', ready),
    staticPod('kube-apiserver', images.apiServer, apiServerCommand(facts, address)),
    staticPod(
      ...(['kube-controller-manager', images.controllerManager] as const),
      controllersCommand(facts),
    ),
    staticPod('kube-scheduler', images.scheduler, schedulerCommand(facts)),
  ]
}

const staticPod = (name: string, image: string, command: string[]): ShownResource =>
  k8s('StaticPods', name, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'kube-system',
      labels: { 'k8s-app': name, tier: 'control-plane' },
    },
    spec: { containers: [{ name, image, command }], hostNetwork: true },
  })
