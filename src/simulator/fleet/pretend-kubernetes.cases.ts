// A Kubernetes for tests of machines: everything is well a moment after it was told.

import type { Clock } from '#base/clock.ts'
import type {
  ClusterKubernetes,
  ControlPlaneFacts,
  NodeFacts,
  NodeView,
  StaticPodView,
} from '#simulator/kubernetes/cluster-kubernetes.ts'
import { Listeners } from '#simulator/machine/listeners.ts'

const DELAY_MS = 2000

export class PretendKubernetes implements ClusterKubernetes {
  /** What it was told, in order. */
  readonly told: string[] = []
  readonly nodes = new Map<string, NodeView>()
  readonly kubelets = new Map<string, NodeFacts>()
  readonly controlPlanes = new Map<string, ControlPlaneFacts>()
  isDisposed = false
  restored: unknown
  readonly #clock: Clock
  readonly #changes = new Listeners()
  #hasQuorum = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isUp(): boolean {
    const isServing = [...this.controlPlanes.values()].some(
      ({ components }) => components['kube-apiserver'].state === 'running',
    )
    return this.#hasQuorum && isServing
  }

  kubeletUp(facts: NodeFacts): void {
    this.told.push(`kubelet up ${facts.name}`)
    this.kubelets.set(facts.name, facts)
    this.#later()
  }

  kubeletDown(nodeName: string): void {
    this.told.push(`kubelet down ${nodeName}`)
    this.kubelets.delete(nodeName)
    this.#later()
  }

  controlPlaneUp(facts: ControlPlaneFacts): void {
    this.told.push(`control plane up ${facts.nodeName}`)
    this.controlPlanes.set(facts.address, facts)
    this.#later()
  }

  controlPlaneDown(address: string): void {
    this.told.push(`control plane down ${address}`)
    this.controlPlanes.delete(address)
    this.#later()
  }

  setQuorum(hasQuorum: boolean): void {
    this.#hasQuorum = hasQuorum
    this.#later()
  }

  node(name: string): NodeView | undefined {
    return this.nodes.get(name)
  }

  staticPods(nodeName: string): readonly StaticPodView[] {
    const facts = [...this.controlPlanes.values()].find((one) => one.nodeName === nodeName)
    if (!facts) return []
    return Object.entries(facts.components).map(([name, { state }]) => {
      const isReady = this.isUp && state === 'running'
      return {
        id: `kube-system/${name}-${nodeName}`,
        isReady,
        status: {
          phase: state === 'running' ? 'Running' : 'Pending',
          conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
        },
      }
    })
  }

  onChange(listener: () => void): () => void {
    return this.#changes.add(listener)
  }

  async cordonAndDrain(nodeName: string): Promise<void> {
    this.told.push(`drain ${nodeName}`)
    const node = this.nodes.get(nodeName)
    if (node) this.nodes.set(nodeName, { ...node, isUnschedulable: true })
    this.#changes.tell()
  }

  async uncordon(nodeName: string): Promise<void> {
    const node = this.nodes.get(nodeName)
    if (!node?.isUnschedulable) return
    this.told.push(`uncordon ${nodeName}`)
    this.nodes.set(nodeName, { ...node, isUnschedulable: false })
    this.#changes.tell()
  }

  async snapshot() {
    return { revision: this.told.length + 1, entries: [] }
  }

  async restore(content: unknown): Promise<void> {
    this.restored = content
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true
  }

  setNotReady(name: string): void {
    this.#setReady(name, false)
    this.#changes.tell()
  }

  #later(): void {
    this.#clock.after(DELAY_MS, () => {
      for (const name of this.nodes.keys()) this.#setReady(name, this.kubelets.has(name))
      if (this.isUp) for (const name of this.kubelets.keys()) this.#setReady(name, true)
      this.#changes.tell()
    })
  }

  #setReady(name: string, isReady: boolean): void {
    const fresh = { isUnschedulable: false, labels: {}, annotations: {}, podCidrs: [] }
    this.nodes.set(name, { ...fresh, ...this.nodes.get(name), isReady })
  }
}
