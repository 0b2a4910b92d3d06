import { Node } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import type { Cancel, Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { ApiAccess, Carry } from '#kube/access.ts'
import { isConflict, isNotFound } from '#kube/api-error.ts'
import type { RemovedResource } from '#machineconfig/versions/kubernetes-removals.ts'
import { NodesFollower } from './cluster-nodes-follower.ts'
import { type ClusterSeen, type NodeSeen, seenIn } from './cluster-nodes-seen.ts'
import { Turns } from './cluster-nodes-turns.ts'
import { applyManifests, type Manifest } from './manifests.ts'
import { cordon, uncordon } from './node-cordon.ts'
import { deletePods, evictPods, type PodRef, type PodSeen, podsOn } from './node-pods.ts'
import { hasObjectsOf } from './removed-resources.ts'
import { type StaticPod, staticPodsOn } from './static-pods.ts'

export type { ClusterSeen, NodeSeen } from './cluster-nodes-seen.ts'

const DEADLINE_MS = 15_000

/** How a cluster's API is reached. */
export interface NodesAccess {
  /**
   * What makes it another access: the cluster's authority, say. Holds no secret. Where the server is is
   * added to it here; credentials that are renewed are still the same access.
   */
  identity: string
  /** Kept for as long as the identity stays the same, whatever is handed in later. */
  access: ApiAccess
}

/** A node, and for which TalosMachine it is drained, by uid. */
interface DrainedNode {
  name: string
  uid: string
  by: string
}

interface Options {
  clock: Clock
  log: Log
  userAgent: string
  /** How requests reach the clusters. Left out: as each access says. */
  carry?: Carry
}

interface Followed {
  identity: string
  follower: NodesFollower
}

/** The nodes of all clusters that are followed, by one watch each. Kept in memory alone. */
export class ClusterNodes {
  readonly #options: Options
  readonly #clusters = new Map<string, Followed>()
  readonly #listeners = new Set<(cluster: string) => void>()
  readonly #ending = new Set<Promise<void>>()
  readonly #turns: Turns
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
    this.#turns = new Turns(options.clock)
  }

  /**
   * Follows a cluster from now on. Said again of the same access it does nothing; of another, what was
   * seen is forgotten and the cluster followed anew.
   */
  follow(cluster: string, { access, identity: given }: NodesAccess): void {
    if (this.#isClosed) return
    const identity = JSON.stringify([given, access.server.href, access.serverName ?? ''])
    if (this.#clusters.get(cluster)?.identity === identity) return
    this.forget(cluster)
    const { clock, log, userAgent, carry } = this.#options
    const follower: NodesFollower = new NodesFollower({
      ...{ clock, userAgent, turns: this.#turns },
      access: carry ? { ...access, carry } : access,
      log: log.with({ cluster }),
      onChange: () => this.#tell(cluster),
    })
    this.#clusters.set(cluster, { identity, follower })
  }

  /**
   * Says that a machine of the cluster answers: then its API is asked often, if that does not answer, and
   * at once when nobody has said so for a while. An API of dead machines is asked every minute or two.
   */
  hear(cluster: string): void {
    this.#clusters.get(cluster)?.follower.hear()
  }

  /** Ends to follow a cluster. */
  forget(cluster: string): void {
    const known = this.#clusters.get(cluster)
    if (!known) return
    this.#clusters.delete(cluster)
    const ending = known.follower.close()
    this.#ending.add(ending)
    void ending.finally(() => this.#ending.delete(ending))
  }

  /** The cluster as it was last seen. One that is not followed is `connecting` for ever. */
  seen(cluster: string): ClusterSeen {
    const known = this.#clusters.get(cluster)
    return known ? known.follower.seen : { api: { is: 'connecting' }, nodes: [] }
  }

  /** Calls back whenever `seen` shows something else of a cluster, until it is cancelled. */
  onChange(listener: (cluster: string) => void): Cancel {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A node as it is now, asked of the API server; undefined where there is none. */
  async readNode(
    cluster: string,
    name: string,
    signal: AbortSignal,
  ): Promise<NodeSeen | undefined> {
    const options = { signal, deadlineMs: DEADLINE_MS }
    const node = await this.#follower(cluster).client.find(Node, { name }, options)
    return node && seenIn(node)
  }

  /**
   * Deletes a node, of exactly this uid. One that is gone, or that has been made anew under the same
   * name, is left as it is.
   */
  async deleteNode(
    cluster: string,
    { name, uid }: Pick<NodeSeen, 'name' | 'uid'>,
    signal: AbortSignal,
  ): Promise<'deleted' | 'gone' | 'replaced'> {
    // Without a uid it would be whatever has the name by then.
    if (uid === '') throw new Error(`the node ${name} of ${cluster} has no uid to be deleted by`)
    const options = { signal, deadlineMs: DEADLINE_MS, preconditions: { uid } }
    const { client } = this.#follower(cluster)
    const outcome = await client.remove(Node, { name }, options).then(
      () => 'deleted' as const,
      (error: unknown) => {
        if (isNotFound(error)) return 'gone' as const
        if (isConflict(error)) return 'replaced' as const
        throw error
      },
    )
    // Whoever looks next must not find it, though the watch may be behind.
    this.#clusters.get(cluster)?.follower.drop({ name, uid })
    return outcome
  }

  /**
   * Cordons a node and marks it as drained for a machine, by the uid of its object, from now on. Said again it does nothing.
   * One that somebody else cordoned is only marked; one that is gone, or that has been made anew, is left as it is.
   */
  async cordon(cluster: string, node: DrainedNode, signal: AbortSignal): Promise<void> {
    const now = this.#options.clock.now()
    const { client } = this.#follower(cluster)
    this.#note(cluster, await cordon(client, { ...node, now }, signal))
  }

  /**
   * Ends a drain of this machine: its mark goes, and the cordon if that is ours. With `isStopped` it stays written down that
   * the drain was in vain. A node without its mark is left as it is.
   */
  async uncordon(
    cluster: string,
    { isStopped = false, ...node }: DrainedNode & { isStopped?: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const stopped = isStopped ? { stopped: this.#options.clock.now() } : {}
    const { client } = this.#follower(cluster)
    this.#note(cluster, await uncordon(client, { ...node, ...stopped }, signal))
  }

  /** The pods that have to leave a node when it is drained, as they are now; asked of the API server. */
  podsOn(cluster: string, node: string, signal: AbortSignal): Promise<PodSeen[]> {
    return podsOn(this.#follower(cluster).client, node, signal)
  }

  /** The parts of Kubernetes that Talos runs on a node of a control plane; asked of the API server. */
  staticPodsOn(cluster: string, node: string, signal: AbortSignal): Promise<StaticPod[]> {
    return staticPodsOn(this.#follower(cluster).client, node, signal)
  }

  /** Whether there are objects of a version of an API; asked of the API server. */
  hasObjectsOf(cluster: string, of: RemovedResource, signal: AbortSignal): Promise<boolean> {
    return hasObjectsOf(this.#follower(cluster).client, of, signal)
  }

  /** Writes objects that Talos has made for the cluster, as Talos would. */
  applyManifests(
    cluster: string,
    manifests: readonly Manifest[],
    signal: AbortSignal,
  ): ReturnType<typeof applyManifests> {
    const { clock } = this.#options
    const { client } = this.#follower(cluster)
    return applyManifests({ client, clock }, manifests, signal)
  }

  /** Asks pods to go, as far as their budgets allow it. What became of it is seen in `podsOn`. */
  evictPods(cluster: string, pods: readonly PodRef[], signal: AbortSignal): Promise<void> {
    return evictPods(this.#follower(cluster).client, pods, signal)
  }

  /** Deletes pods, whatever their budgets say. */
  deletePods(cluster: string, pods: readonly PodRef[], signal: AbortSignal): Promise<void> {
    return deletePods(this.#follower(cluster).client, pods, signal)
  }

  /** Ends everything. Resolves when it has ended; what is followed after that is not. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const cluster of [...this.#clusters.keys()]) this.forget(cluster)
    await Promise.all(this.#ending)
  }

  #follower(cluster: string): NodesFollower {
    const known = this.#clusters.get(cluster)
    if (!known) throw new Error(`the cluster ${cluster} is not followed`)
    return known.follower
  }

  /** Whoever looks next sees what was written, though the watch may be behind. */
  #note(cluster: string, node: ObjectOf<typeof Node> | undefined): void {
    if (node) this.#clusters.get(cluster)?.follower.put(node)
  }

  #tell(cluster: string): void {
    for (const listener of this.#listeners) {
      try {
        listener(cluster)
      } catch (error) {
        this.#options.log.error('listener failed', { cluster, error })
      }
    }
  }
}
