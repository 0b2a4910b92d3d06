import type { Cancel } from '#base/clock.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { Images } from '#machineconfig/versions/images.ts'
import type { EtcdContent } from '#simulator/etcd/etcd-content.ts'

/** The Kubernetes of one simulated cluster, as its machines use it. What takes time happens by the clock of the fleet. */
export interface ClusterKubernetes extends AsyncDisposable {
  /** A kubelet runs with these facts; told again when they change. Its Node appears once an API server answers. */
  kubeletUp(node: NodeFacts): void
  /** It stopped, or its machine did. Nobody tells the API: the Node becomes NotReady after the usual grace. */
  kubeletDown(nodeName: string): void
  /** A control plane runs its static pods, or is about to; told again when its facts change. */
  controlPlaneUp(facts: ControlPlaneFacts): void
  controlPlaneDown(address: string): void
  /** Without a quorum of etcd no API server answers. */
  setQuorum(hasQuorum: boolean): void
  /** Whether an API server answers anywhere. */
  readonly isUp: boolean
  /** A Node as the API has it, or had it when somebody looked last, unless its kubelet stopped since. */
  node(name: string): NodeView | undefined
  /** The static pods of a node as the kubelet reports them. */
  staticPods(nodeName: string): readonly StaticPodView[]
  /** Told when `isUp`, a `node` or a static pod is another. */
  onChange(listener: () => void): Cancel
  /** What Talos does with its own node before it goes down: no more pods, and those there evicted. Gives up in time. */
  cordonAndDrain(nodeName: string, timeoutMs: number): Promise<void>
  /** Undone only if it was Talos who cordoned. */
  uncordon(nodeName: string): Promise<void>
  /** All that the API holds, and the way back to it. */
  snapshot(): Promise<EtcdContent>
  restore(content: EtcdContent): Promise<void>
}

export interface ClusterFacts {
  readonly name: string
  readonly endpoint: string
  readonly secrets: SecretsBundle
  readonly dnsDomain: string
  readonly podSubnets: readonly string[]
  readonly serviceSubnets: readonly string[]
  readonly cni: 'flannel' | 'custom' | 'none'
  readonly hasKubeProxy: boolean
  readonly hasCoreDns: boolean
}

export interface NodeFacts {
  readonly name: string
  readonly address: string
  readonly uuid: string
  readonly bootId: string
  readonly type: 'controlplane' | 'worker'
  readonly kubeletVersion: string
  readonly talosVersion: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly taints: readonly { key: string; value: string; effect: string }[]
  readonly cpus: number
  readonly memoryMiB: number
  /** With `skipNodeRegistration` there is no Node. */
  readonly isRegistered: boolean
}

export interface ControlPlaneFacts {
  readonly address: string
  readonly nodeName: string
  /** Addresses besides its own at which it serves: a virtual IP that it holds. */
  readonly furtherAddresses: readonly string[]
  readonly certSans: readonly string[]
  readonly components: Readonly<Record<ControlPlaneComponent, ComponentFacts>>
  /** Of what its Talos would put into a new cluster. */
  readonly addOnImages: AddOnImages
}

export type AddOnImages = Pick<Images, 'proxy' | 'coreDns' | 'flannel'>

/** One component of a control plane, and its static pod. */
export interface ComponentFacts {
  readonly image: string
  /** Of its configuration; its pod carries it as an annotation. */
  readonly configVersion: string
  /** Whether its container runs, or why it does not: it is being started, ends at once, or no registry has its image. */
  readonly state: 'running' | 'starting' | 'crashing' | 'no-image'
}

export type ControlPlaneComponent = 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler'

export interface NodeView {
  readonly isReady: boolean
  readonly isUnschedulable: boolean
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly podCidrs: readonly string[]
}

export interface StaticPodView {
  /** `kube-system/kube-apiserver-node-1` */
  readonly id: string
  readonly isReady: boolean
  /** A PodStatus. */
  readonly status: Readonly<Record<string, unknown>>
}
