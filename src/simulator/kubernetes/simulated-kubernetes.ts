import { type Cancel, type Clock, systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/operator-error.ts'
import type { EtcdContent } from '#simulator/etcd/etcd-content.ts'
import { ownEndpoints } from './bootstrap/own-endpoints.ts'
import type {
  ClusterFacts,
  ClusterKubernetes,
  ControlPlaneComponent,
  ControlPlaneFacts,
  NodeFacts,
  NodeView,
  StaticPodView,
} from './cluster-kubernetes.ts'
import { cordon, drain, uncordon } from './drain.ts'
import { NodeViews } from './node-views.ts'
import { ControlPlanes } from './nodes/control-planes.ts'
import { Kubelets } from './nodes/kubelets.ts'
import { staticPodViews } from './nodes/static-pod-views.ts'
import { keysOf } from './objects.ts'
import type { OpenApiDoor } from './serving/api-door.ts'
import { ApiDoors } from './serving/api-doors.ts'
import { type ClusterContent, fromEtcd, NOTHING, toEtcd } from './serving/cluster-content.ts'
import { type RunningApi, startRunningApi } from './serving/running-api.ts'
import { DEFAULT_TIMING, type KubernetesTiming } from './timing.ts'

export interface SimulatedKubernetesOptions {
  clock: Clock
  /** By which its clients live. Left out: the same. */
  wallClock?: Clock
  log: Log
  /** Where API servers listen at their addresses. 6443 unless told; 0: each at any port that is free. */
  port?: number
  /** How its API servers are reached. Left out: they listen, and clients live by the time of this machine. */
  openDoor?: OpenApiDoor
  timing?: Partial<KubernetesTiming>
}

/** The Kubernetes of a cluster that does not exist but for its API. */
export const simulatedKubernetes = (
  facts: ClusterFacts,
  options: SimulatedKubernetesOptions,
): SimulatedKubernetes => new SimulatedKubernetes(facts, options)

const NODES = keysOf('nodes')
const DEFAULT_PORT = 6443

/**
 * The control plane of a cluster runs as one API in this process while at least one of its machines runs an API server
 * and etcd has a quorum. Otherwise connections are refused, as by a kube-apiserver that cannot start without etcd, and
 * nothing of what plays the control plane does anything. When it starts again it finds what it left.
 */
export class SimulatedKubernetes implements ClusterKubernetes {
  readonly #facts: ClusterFacts
  readonly #options: SimulatedKubernetesOptions
  readonly #kubelets: Kubelets
  readonly #controlPlanes = new ControlPlanes()
  readonly #doors: ApiDoors
  readonly #views = new NodeViews()
  readonly #listeners = new Set<{ listener: () => void }>()
  #hasQuorum = true
  #isDisposed = false
  #content: ClusterContent = NOTHING
  #running: RunningApi | undefined
  #stopFollowing: Cancel = () => undefined
  #settling: Promise<void> = Promise.resolve()
  #isSettlingDue = false

  constructor(facts: ClusterFacts, options: SimulatedKubernetesOptions) {
    this.#facts = facts
    this.#options = options
    this.#kubelets = new Kubelets(options.clock)
    const { port = DEFAULT_PORT, log, openDoor } = options
    this.#doors = new ApiDoors({ facts, port, log, ...(openDoor && { openDoor }) })
  }

  get isUp(): boolean {
    return this.#running !== undefined && this.#doors.isOpen
  }

  /** The port at which an address is served. */
  portAt(address: string): number | undefined {
    return this.#doors.portAt(address)
  }

  kubeletUp(node: NodeFacts): void {
    this.#kubelets.up(node)
    this.#touchNode(node.name)
    this.#tell()
  }

  kubeletDown(nodeName: string): void {
    this.#kubelets.down(nodeName)
    this.#views.forget(nodeName)
    this.#touchNode(nodeName)
    this.#tell()
  }

  controlPlaneUp(facts: ControlPlaneFacts): void {
    this.#controlPlanes.up(facts, this.#options.clock.now())
    this.#touchNode(facts.nodeName)
    this.#tell()
    this.#settle()
  }

  controlPlaneDown(address: string): void {
    this.#controlPlanes.down(address)
    this.#tell()
    this.#settle()
  }

  setQuorum(hasQuorum: boolean): void {
    if (hasQuorum === this.#hasQuorum) return
    this.#hasQuorum = hasQuorum
    this.#tell()
    this.#settle()
  }

  node(name: string): NodeView | undefined {
    return this.#running ? this.#views.of(this.#running.store, name) : this.#views.last(name)
  }

  staticPods(nodeName: string): readonly StaticPodView[] {
    const facts = this.#controlPlanes.on(nodeName)
    if (!facts || !this.#kubelets.isUp(nodeName)) return []
    const since = (component: ControlPlaneComponent) =>
      this.#controlPlanes.since(facts.address, component)
    return staticPodViews(facts, { since, hasQuorum: this.#hasQuorum })
  }

  onChange(listener: () => void): Cancel {
    const registered = { listener }
    this.#listeners.add(registered)
    return () => void this.#listeners.delete(registered)
  }

  async cordonAndDrain(nodeName: string, timeoutMs: number): Promise<void> {
    await this.#try('drain', async ({ scene }) => {
      await cordon(scene, nodeName)
      await drain(scene, nodeName, timeoutMs)
    })
  }

  async uncordon(nodeName: string): Promise<void> {
    await this.#try('uncordon', ({ scene }) => uncordon(scene, nodeName))
  }

  async snapshot(): Promise<EtcdContent> {
    return toEtcd(this.#running?.content() ?? this.#content)
  }

  /** As with etcd, which Talos does not tell to skip ahead: the API counts on from the revision of the snapshot. */
  async restore(content: EtcdContent): Promise<void> {
    const stopped = this.#settling.then(() => this.#stop())
    this.#settling = stopped.then(() => {
      this.#content = fromEtcd(content)
    })
    this.#settle()
    await this.#settling
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    this.#settle()
    await this.#settling
  }

  /** A machine does without an API that does not answer, or stops answering meanwhile. */
  async #try(what: string, act: (running: RunningApi) => Promise<void>): Promise<void> {
    if (!this.#running) return
    try {
      await act(this.#running)
    } catch (error) {
      this.#options.log.warn('given up', { what, error: messageOf(error) })
    }
  }

  #touchNode(name: string): void {
    const { routines, scene } = this.#running ?? {}
    if (!routines || !scene) return
    routines.touch('node', name)
    routines.touch('static-pods', name)
    for (const { key } of scene.pods.on(name)) routines.touch('kubelet', key)
  }

  #tell(): void {
    for (const { listener } of [...this.#listeners]) listener()
  }

  /** Brings what runs in line with what should, some time soon. */
  #settle(): void {
    if (this.#isSettlingDue) return
    this.#isSettlingDue = true
    this.#settling = this.#settling
      .then(() => {
        this.#isSettlingDue = false
        return this.#bringInLine()
      })
      .catch((error: unknown) => {
        this.#options.log.error('the control plane cannot start', { error: messageOf(error) })
      })
  }

  async #bringInLine(): Promise<void> {
    const controlPlanes = this.#controlPlanes.serving()
    if (this.#isDisposed || !this.#hasQuorum || controlPlanes.length === 0) return this.#stop()
    const running = this.#running ?? (await this.#start())
    await this.#doors.serve(running.rest, controlPlanes)
    await ownEndpoints(running.scene)
    this.#tell()
  }

  async #start(): Promise<RunningApi> {
    const { clock, wallClock = clock, log, timing, openDoor } = this.#options
    const running = await startRunningApi({
      scene: {
        facts: this.#facts,
        clock,
        timing: { ...DEFAULT_TIMING, ...timing },
        kubelets: this.#kubelets,
        controlPlanes: this.#controlPlanes,
      },
      content: this.#content,
      wallClock,
      // Connections are made by the time of this machine, whatever the fleet's is.
      certificateClock: openDoor ? wallClock : systemClock,
      log,
    })
    this.#running = running
    this.#content = NOTHING
    this.#views.clear()
    this.#stopFollowing = running.store.onChanges((changes) => {
      if (changes.some(({ key }) => key.startsWith(NODES))) this.#tell()
    })
    for (const name of this.#kubelets.names()) this.#touchNode(name)
    return running
  }

  async #stop(): Promise<void> {
    const running = this.#running
    if (!running) return
    await this.#doors.shutAll()
    this.#stopFollowing()
    this.#running = undefined
    await running[Symbol.asyncDispose]()
    this.#content = running.content()
    this.#tell()
  }
}
