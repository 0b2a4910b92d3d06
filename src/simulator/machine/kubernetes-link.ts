import { isDeepStrictEqual } from 'node:util'
import type { EtcdHalf } from '#simulator/clusters/etcd-half.ts'
import type {
  ControlPlaneComponent,
  ControlPlaneFacts,
  NodeFacts,
} from '#simulator/kubernetes/cluster-kubernetes.ts'
import type { Boot } from './boot.ts'
import type { ConfigFacts } from './config-facts.ts'
import type { MachineInside } from './inside.ts'
import { StaticPods, type WantedComponent } from './static-pods.ts'

interface Told<Facts> {
  readonly half: EtcdHalf
  readonly facts: Facts
}

/** Tells the Kubernetes of its cluster what runs on a machine, whenever that is another. */
export class KubernetesLink {
  readonly #inside: MachineInside
  #kubelet: Told<NodeFacts> | undefined
  #controlPlane: Told<ControlPlaneFacts> | undefined
  #pods: StaticPods | undefined

  constructor(inside: MachineInside) {
    this.#inside = inside
  }

  /** Looks at everything again. */
  sync(): void {
    const { boot, facts } = this.#inside
    const cluster = this.#inside.isReachable ? boot?.cluster : undefined
    const [half, own] = [cluster?.halfOf(this.#inside), cluster?.ownHalfOf(this.#inside)]
    if (boot && facts && half) this.#syncKubelet(boot, facts, half)
    else this.#endKubelet()
    // An API server works with the etcd beside it, and with no other.
    if (boot && facts && own) this.#syncControlPlane(boot, facts, own)
    else this.#endControlPlane()
  }

  #syncKubelet(boot: Boot, config: ConfigFacts, half: EtcdHalf): void {
    if (!boot.services.isIn('kubelet', 'Running')) {
      this.#endKubelet()
      return
    }
    const facts = nodeFacts(this.#inside, boot, config)
    if (this.#kubelet && this.#kubelet.facts.name !== facts.name) this.#endKubelet()
    if (isSame(this.#kubelet, { half, facts })) return
    this.#kubelet = { half, facts }
    half.kubernetes.kubeletUp(facts)
  }

  #syncControlPlane(boot: Boot, config: ConfigFacts, half: EtcdHalf): void {
    if (config.type !== 'controlplane' || !boot.services.isUp('cri')) {
      boot.hasStaticPods = false
      this.#pods?.end()
      this.#pods = undefined
      this.#endControlPlane()
      return
    }
    const isReady = boot.services.isIn('kubelet', 'Running') && this.#inside.isEtcdHealthy
    if (!boot.hasStaticPods && !isReady) return
    if (!boot.services.isIn('etcd', 'Running')) {
      this.#endControlPlane()
      return
    }
    const wanted = wantedComponents(this.#inside, config)
    if (!wanted) return
    boot.hasStaticPods = true
    if (this.#pods?.boot !== boot) this.#pods = new StaticPods(this.#inside, boot)
    const components = this.#pods.follow(wanted)
    const facts = { ...controlPlaneFacts(this.#inside, config), components }
    if (isSame(this.#controlPlane, { half, facts })) return
    this.#controlPlane = { half, facts }
    half.kubernetes.controlPlaneUp(facts)
  }

  #endKubelet(): void {
    const told = this.#kubelet
    this.#kubelet = undefined
    told?.half.kubernetes.kubeletDown(told.facts.name)
  }

  #endControlPlane(): void {
    const told = this.#controlPlane
    this.#controlPlane = undefined
    told?.half.kubernetes.controlPlaneDown(told.facts.address)
  }
}

const isSame = <Facts>(one: Told<Facts> | undefined, other: Told<Facts>): boolean =>
  one?.half === other.half && isDeepStrictEqual(one.facts, other.facts)

const nodeFacts = (inside: MachineInside, boot: Boot, config: ConfigFacts): NodeFacts => ({
  name: inside.hostname,
  address: inside.address,
  uuid: inside.hardware.uuid,
  bootId: boot.id,
  type: config.type,
  kubeletVersion: `v${config.kubernetesVersion}`,
  talosVersion: boot.image.version,
  labels: config.nodeLabels,
  annotations: config.nodeAnnotations,
  taints: config.nodeTaints,
  cpus: inside.hardware.cpus,
  memoryMiB: inside.hardware.memoryMiB,
  isRegistered: !config.skipsNodeRegistration,
})

const controlPlaneFacts = (inside: MachineInside, config: ConfigFacts) => ({
  address: inside.address,
  nodeName: inside.hostname,
  furtherAddresses: config.virtualIps,
  certSans: [...config.certSans, ...config.apiServerSans],
  addOnImages: {
    proxy: config.images.proxy,
    coreDns: config.images.coreDns,
    flannel: config.images.flannel,
  },
})

/** Undefined until the machine shows the configurations of all three. */
function wantedComponents(
  inside: MachineInside,
  { images }: ConfigFacts,
): Readonly<Record<ControlPlaneComponent, WantedComponent>> | undefined {
  const versionOf = (type: string, id: string) =>
    inside.resources.get('controlplane', `${type}.kubernetes.talos.dev`, id)?.version
  const apiServer = versionOf('APIServerConfigs', 'kube-apiserver')
  const controllers = versionOf('ControllerManagerConfigs', 'kube-controller-manager')
  const scheduler = versionOf('SchedulerConfigs', 'kube-scheduler')
  if (!apiServer || !controllers || !scheduler) return undefined
  return {
    'kube-apiserver': { image: images.apiServer, configVersion: `${apiServer}` },
    'kube-controller-manager': { image: images.controllerManager, configVersion: `${controllers}` },
    'kube-scheduler': { image: images.scheduler, configVersion: `${scheduler}` },
  }
}
