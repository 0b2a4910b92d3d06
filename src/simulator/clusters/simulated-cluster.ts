import type { Clock } from '#base/clock.ts'
import type { BootstrapOptions } from '#simulator/etcd/etcd-cluster.ts'
import { EtcdCluster } from '#simulator/etcd/etcd-cluster.ts'
import type { ClusterFacts, ClusterKubernetes } from '#simulator/kubernetes/cluster-kubernetes.ts'
import { Listeners } from '#simulator/machine/listeners.ts'
import { durationMs, type Timed } from '#simulator/timing.ts'
import { Affiliates } from './affiliates.ts'
import type { ClusterMachine } from './cluster-machine.ts'
import { controlPlanesFor, type FleetView } from './control-planes-for.ts'
import { EtcdHalf } from './etcd-half.ts'
import { givesCertificates, letsKubeletIn, sharesEtcd } from './lets-in.ts'

export interface ClusterSurroundings {
  readonly clock: Clock
  readonly wallClock: Clock
  readonly random: () => number
  readonly fleet: FleetView
  kubernetesOf(facts: ClusterFacts): ClusterKubernetes
}

/** Machines whose configuration says that they belong together, and what they have become. */
export class SimulatedCluster implements AsyncDisposable {
  /** Told at once when a machine could go on that waited for others: trustd, etcd, an API server. */
  readonly changes = new Listeners()
  /** Told a little later, and once for many changes: what machines show of the others. */
  readonly noticed = new Listeners()
  readonly affiliates: Affiliates
  readonly #surroundings: ClusterSurroundings
  readonly #machines = new Set<ClusterMachine>()
  readonly #due = new Set<Timed>()
  #controlPlanes: readonly ClusterMachine[] = []
  #halves: EtcdHalf[] = []

  constructor(surroundings: ClusterSurroundings) {
    this.#surroundings = surroundings
    this.affiliates = new Affiliates(surroundings.wallClock, () => this.#noticeAfter('discovery'))
  }

  /** Those that are up. */
  get machines(): readonly ClusterMachine[] {
    return [...this.#machines]
  }

  /** Of these the control planes, in the order in which they came up. */
  get controlPlanes(): readonly ClusterMachine[] {
    return this.#controlPlanes
  }

  /** In the order in which they were bootstrapped. */
  get halves(): readonly EtcdHalf[] {
    return this.#halves
  }

  /** A machine came up with the configuration of this cluster, or some of its facts changed. */
  arrive(machine: ClusterMachine): void {
    this.#machines.add(machine)
    this.#sort()
    this.affiliates.announce(machine)
    this.changed()
  }

  /** It went down. */
  depart(machine: ClusterMachine): void {
    if (!this.#machines.delete(machine)) return
    this.#sort()
    this.affiliates.silent(machine.nodeId)
    this.changed()
  }

  /** Something about it, or about one of its machines, is another. */
  changed(): void {
    this.changes.tell()
    this.#noticeAfter('notice')
  }

  /** Whether a machine can get its certificates from a control plane. */
  hasTrustdFor(machine: ClusterMachine): boolean {
    return this.#controlPlanesFor(machine).some(
      (one) => one.isTrustdUp && givesCertificates(one, machine),
    )
  }

  /** The etcd that a control plane would join: that of the first control plane that it finds. */
  etcdToJoin(machine: ClusterMachine): EtcdHalf | undefined {
    const found = this.#controlPlanesFor(machine).find(
      (one) => one.etcdPlace && one.isEtcdHealthy && sharesEtcd(one, machine),
    )
    return found?.etcdPlace?.half
  }

  /** The etcd of which a control plane is a member: where its data says so, and the others say so too. */
  ownHalfOf({ etcdPlace }: ClusterMachine): EtcdHalf | undefined {
    return etcdPlace?.half.etcd.isMember(etcdPlace.memberId) ? etcdPlace.half : undefined
  }

  /** In which Kubernetes a machine takes part. Without an etcd of its own it finds one as workers do. */
  halfOf(machine: ClusterMachine): EtcdHalf | undefined {
    const own = this.ownHalfOf(machine)
    if (own) return own
    const others = this.#controlPlanesFor(machine).filter(({ etcdPlace }) => etcdPlace)
    // Nobody is there to say no: it belongs where it was let in.
    if (others.length === 0) return machine.hasKubeletCertificate ? this.#halves[0] : undefined
    return others.find((one) => letsKubeletIn(one, machine))?.etcdPlace?.half
  }

  /** A new etcd, and a Kubernetes in it. */
  async bootstrap(
    facts: ClusterFacts,
    member: Omit<BootstrapOptions, 'random'>,
  ): Promise<{ half: EtcdHalf; memberId: bigint }> {
    const etcd = EtcdCluster.bootstrap({ ...member, random: this.#surroundings.random })
    const memberId = etcd.members[0]?.id ?? 0n
    const kubernetes = this.#surroundings.kubernetesOf(facts)
    if (etcd.restored) await kubernetes.restore(etcd.restored)
    const half = new EtcdHalf({ etcd, kubernetes, unused: (one) => this.#drop(one) })
    this.#halves = [...this.#halves, half]
    kubernetes.onChange(() => this.changed())
    return { half, memberId }
  }

  /** Machines hear first that it is gone, so that nobody uses it any more when it is. */
  #drop(half: EtcdHalf): void {
    this.#halves = this.#halves.filter((one) => one !== half)
    this.changed()
    const { clock, random } = this.#surroundings
    clock.after(2 * durationMs('notice', random), () => void half[Symbol.asyncDispose]())
  }

  #sort(): void {
    this.#controlPlanes = this.machines.filter(({ facts }) => facts?.type === 'controlplane')
  }

  #controlPlanesFor(machine: ClusterMachine): readonly ClusterMachine[] {
    return controlPlanesFor(machine, this.#controlPlanes, this.#surroundings.fleet)
  }

  #noticeAfter(delay: 'notice' | 'discovery'): void {
    if (this.#due.has(delay)) return
    this.#due.add(delay)
    const { clock, random } = this.#surroundings
    clock.after(durationMs(delay, random), () => {
      this.#due.delete(delay)
      this.noticed.tell()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.affiliates[Symbol.dispose]()
    const halves = this.#halves
    this.#halves = []
    for (const half of halves) await half[Symbol.asyncDispose]()
  }
}
