import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Node } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import { type Cancel, type Clock, sleep } from '#base/clock.ts'
import { forwardAbort } from '#base/deadline.ts'
import type { Log } from '#base/log.ts'
import type { ApiAccess } from '#kube/access.ts'
import { ApiError } from '#kube/api-error.ts'
import { type Change, ObjectCache } from '#kube/cache.ts'
import { KubeClient } from '#kube/client.ts'
import { Reflector, type ReflectorOptions, type ReflectorState } from '#kube/reflector.ts'
import { ApiStanding } from './cluster-nodes-api.ts'
import { type ClusterSeen, FollowedNode, leanNode, type NodeSeen } from './cluster-nodes-seen.ts'
import { silenceOf } from './cluster-nodes-silence.ts'
import type { Turns } from './cluster-nodes-turns.ts'

// What takes longer is as good as gone, and must not keep its socket for long.
const DEADLINE_MS = 15_000
const BACKOFF = { firstMs: 500, mostMs: 120_000, jitter: 0.5 }
// Where a machine answers, the API may do so at any moment.
const LONGEST_PAUSE_AMONG_LIVING_MS = 10_000
// A machine that is well is looked at every few minutes.
const LIFE_MS = 10 * 60_000
const LARGEST_VERSION_BYTES = 64 * 1024

const Version = Type.Object({ gitVersion: Type.String({ minLength: 1, maxLength: 100 }) })

type Followed = ObjectOf<typeof FollowedNode>

interface FollowerOptions {
  access: ApiAccess
  clock: Clock
  log: Log
  userAgent: string
  turns: Turns
  /** Told when `seen` is another. */
  onChange: () => void
}

/**
 * Follows the nodes of one cluster over one connection, until it is closed. What fails is tried again,
 * later and later.
 */
export class NodesFollower {
  readonly client: KubeClient
  readonly #options: FollowerOptions
  readonly #cache = new ObjectCache<Followed>()
  readonly #standing = new ApiStanding()
  readonly #stop = new AbortController()
  /** Ends the waiting after a failure. */
  #wait: AbortController | undefined
  /** When a machine of the cluster answered last. */
  #heardMs = Number.NEGATIVE_INFINITY
  readonly #running: Promise<void>
  #version = ''
  #endTurn: Cancel | undefined
  #isTelling = false

  constructor(options: FollowerOptions) {
    const { access, clock, userAgent } = options
    this.#options = options
    this.client = new KubeClient({ access, clock, userAgent })
    this.#cache.listen((change) => this.#noticed(change))
    this.#running = this.#run()
  }

  get seen(): ClusterSeen {
    const nodes = [...this.#cache.values()].flatMap(({ seen }) => seen ?? [])
    return { api: this.#standing.seen, nodes: nodes.sort((a, b) => (a.name < b.name ? -1 : 1)) }
  }

  /** A node is gone, whenever the watch tells of it. */
  drop({ name, uid }: Pick<NodeSeen, 'name' | 'uid'>): void {
    this.#cache.drop({ metadata: { name, uid } })
  }

  /** A node is as this, whenever the watch tells of it. */
  put(node: ObjectOf<typeof Node>): void {
    this.#cache.put(leanNode(node))
  }

  /** A machine of the cluster answers. The first after a silence ends the waiting after a failure. */
  hear(): void {
    const isNews = !this.#isAmongLiving
    this.#heardMs = this.#options.clock.monotonicMs()
    if (isNews) this.#wait?.abort()
  }

  /** Ends it. Resolves when all has ended. */
  async close(): Promise<void> {
    this.#stop.abort()
    this.client.close()
    await this.#running
    this.#endTurn?.()
  }

  #run(): Promise<void> {
    const reflector = new Reflector<typeof FollowedNode>({
      client: this.#calls,
      clock: this.#options.clock,
      kind: FollowedNode,
      cache: this.#cache,
      project: leanNode,
      timing: { backoff: BACKOFF },
      pause: (ms, signal) => this.#pause(ms, signal),
      onState: (state) => this.#told(state),
    })
    return reflector.run(this.#stop.signal)
  }

  get #isAmongLiving(): boolean {
    return this.#options.clock.monotonicMs() - this.#heardMs < LIFE_MS
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const wait = new AbortController()
    const unlink = forwardAbort(signal, wait)
    this.#wait = wait
    const most = this.#isAmongLiving ? LONGEST_PAUSE_AMONG_LIVING_MS : ms
    await sleep(this.#options.clock, Math.min(ms, most), wait.signal).catch(() => {})
    unlink()
    this.#wait = undefined
  }

  /** One call after the other, so that they need one connection: what is there, its version, the watch. */
  get #calls(): ReflectorOptions<typeof FollowedNode>['client'] {
    const { client } = this
    const deadlineMs = DEADLINE_MS
    return {
      listAs: async (kind, selection, options) => {
        await this.#takeTurn()
        return client.listAs(kind, selection, { ...options, deadlineMs })
      },
      openWatch: async (kind, selection, options) => {
        await this.#takeTurn()
        this.#version = await this.#readVersion()
        return client.openWatch(kind, selection, { ...options, deadlineMs })
      },
    }
  }

  /** A turn lasts until the watch is open, or something has failed. */
  async #takeTurn(): Promise<void> {
    const isHopeful = this.#standing.seen.is !== 'silent'
    this.#endTurn ??= await this.#options.turns.take(isHopeful, this.#stop.signal)
  }

  async #readVersion(): Promise<string> {
    const text = await this.client.read('/version', {
      ...{ signal: this.#stop.signal, deadlineMs: DEADLINE_MS, mostBytes: LARGEST_VERSION_BYTES },
    })
    const version = versionIn(text)
    if (version !== undefined) return version
    const message = 'what the API server sent for /version is no version'
    throw new ApiError(message, { status: 0, reason: 'Garbled' })
  }

  #told(state: ReflectorState): void {
    const { log } = this.#options
    if (state.state === 'watching' || state.state === 'failed') {
      this.#endTurn?.()
      this.#endTurn = undefined
    }
    if (state.state === 'watching') this.#answered()
    if (state.state === 'failed') this.#failed(state.error)
    if (state.state === 'troubled') {
      log.error('object not understood', { kind: 'nodes', key: state.key, error: state.error })
    }
  }

  #answered(): void {
    if (!this.#standing.answered(this.#version)) return
    this.#options.log.info('cluster answers', { version: this.#version })
    this.#changed()
  }

  #failed(error: unknown): void {
    const { access, clock, log } = this.#options
    const silence = silenceOf(error, access.server.host)
    log.debug('nodes not followed', { error })
    if (!this.#standing.failed(silence, clock.now())) return
    log.warn('cluster does not answer', { reason: silence.reason, details: silence.message })
    this.#changed()
  }

  #noticed(change: Change<Followed>): void {
    const previous = change.type === 'changed' ? change.previous.seen : undefined
    const now = change.type === 'removed' ? undefined : change.object.seen
    // A kubelet reports every few minutes that nothing has happened.
    if (!previous || !now || !isSame(previous, now)) this.#changed()
  }

  /** A list may bring many changes at once, which are told as one. */
  #changed(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    queueMicrotask(() => {
      this.#isTelling = false
      if (!this.#stop.signal.aborted) this.#options.onChange()
    })
  }
}

function versionIn(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return Value.Check(Version, parsed) ? parsed.gitVersion : undefined
  } catch {
    return undefined
  }
}

// Both were made by us, field by field in the same order.
const isSame = (one: NodeSeen, other: NodeSeen): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
