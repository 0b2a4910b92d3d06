import { makerLabelOf } from '#api/labels.ts'
import type { ApiKind, KubeObject } from '#api/meta.ts'
import type { Cancel } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { type Change, keyOf } from '#kube/cache.ts'
import { type Controller, labelValueOf } from './controller.ts'
import type { NamedObject } from './fetch-any-object.ts'
import { kindId } from './kind-id.ts'
import type { Memory } from './memory.ts'
import type { WorkQueue } from './queue.ts'
import { isRestrained } from './reconcile-mode.ts'
import { mattersBesides, mattersTo, urgencyOf } from './wakes.ts'
import type { Wanted, Watches } from './watches.ts'

// The resources by their names as they stand in the label of what they made.
const MAKER = 'maker'

type DeclaredRead = Controller['reads'][number]

interface WakingOptions {
  watches: Watches
  queue: WorkQueue
  memory: Memory
  log: Log
  signal: AbortSignal
}

/** What the resources of a controller have to be found by, so that changes of others wake them. */
export const indexesOf = (controller: Controller): NonNullable<Wanted['indexes']> => ({
  ...Object.fromEntries(
    controller.foundBy.map((by) => [by, (resource: KubeObject) => controller.found(by, resource)]),
  ),
  [MAKER]: ({ metadata }) => [`${metadata.namespace}/${labelValueOf(metadata.name)}`],
  ...Object.fromEntries(
    cachedReadsOf(controller).flatMap((read) =>
      read.namedBy ? [[indexOf(controller, read), namesIn(read)]] : [],
    ),
  ),
})

/** The kinds that a controller reads from the caches, besides its own. */
export const cachedReadsOf = ({ reads }: Controller) => reads.filter(({ from }) => from === 'cache')

/** Puts the resources into the queue that a change matters to, until the returned function is called. */
export function wakeOnChanges(controller: Controller, options: WakingOptions): Cancel {
  const waking = new Waking(controller, options)
  const { watches } = options
  for (const resource of watches.list(controller.kind, {})) waking.follow(resource)
  const stops = [
    watches.listen(controller.kind, (change) => waking.itself(change)),
    ...cachedReadsOf(controller).map((read) =>
      watches.listen(read.kind, (change) => waking.others(read, change)),
    ),
  ]
  waking.fromElsewhere()
  return () => {
    for (const stop of stops) stop()
    waking.unfollow()
  }
}

class Waking {
  readonly #controller: Controller
  readonly #options: WakingOptions
  /** The keys of those that name something which no cache shows. */
  readonly #following = new Set<string>()

  constructor(controller: Controller, options: WakingOptions) {
    this.#controller = controller
    this.#options = options
  }

  itself(change: Change<KubeObject>): void {
    const { queue, memory } = this.#options
    const key = keyOf(change.object)
    if (change.type === 'removed') {
      queue.forget(key)
      memory.forget(key)
      this.#unfollow(key)
      return
    }
    if (change.type === 'added' || isOtherSpec(change)) this.follow(change.object)
    const urgency = urgencyOf(this.#controller.kind, change, memory.of(key).reported)
    if (urgency) queue.add(key, urgency)
  }

  /** From now on, what the resource names wakes it. */
  follow(resource: KubeObject): void {
    const { watches, queue } = this.#options
    const key = keyOf(resource)
    const named = this.#namedBy(resource)
    if (named.length === 0) {
      this.#unfollow(key)
      return
    }
    this.#following.add(key)
    const { namespace = '' } = resource.metadata
    const wake = () => queue.add(key, 'change')
    watches.named.follow(this.#follower(key), named, { namespace, wake })
  }

  unfollow(): void {
    for (const key of this.#following) this.#unfollow(key)
  }

  others(read: DeclaredRead, change: Change<KubeObject>): void {
    const { watches, queue } = this.#options
    const { kind } = this.#controller
    const seen = change.type === 'changed' ? [change.previous, change.object] : [change.object]
    const find = (index: string, value: string) => watches.find(kind, index, value).map(keyOf)
    const whose = mattersTo(read, change) ? seen : []
    const owners = whose.flatMap((object) => ownersOf(this.#controller, object))
    const makers = whose.flatMap((object) => makersOf(this.#controller, object))
    const keys = new Set([
      ...owners.filter((key) => watches.get(kind, key)),
      ...makers.flatMap((maker) => find(MAKER, maker)),
      ...(read.namedBy && whose.length > 0
        ? find(indexOf(this.#controller, read), keyOf(change.object))
        : []),
      ...(mattersBesides(read, change)
        ? this.#controller
            .wokenFor(read, change.object, watches)
            .filter((key) => watches.get(kind, key))
        : []),
      ...(seen.some(isRestrained) ? this.#inAnotherMode() : []),
    ])
    for (const key of keys) queue.add(key, 'change')
  }

  fromElsewhere(): void {
    const { watches, queue, log, signal } = this.#options
    const { kind, wokenBy } = this.#controller
    const wake = (key: string) => {
      if (!signal.aborted && watches.get(kind, key)) queue.add(key, 'change')
    }
    try {
      wokenBy(wake, signal)
    } catch (error) {
      log.error('not woken from elsewhere', { controller: kind.kind, error })
    }
  }

  #unfollow(key: string): void {
    if (this.#following.delete(key)) this.#options.watches.named.forget(this.#follower(key))
  }

  #follower(key: string): string {
    return `${kindId(this.#controller.kind)} ${key}`
  }

  #namedBy(resource: KubeObject): readonly NamedObject[] {
    try {
      return this.#controller.named(resource)
    } catch {
      // What is wrong with the resource is told by its pass.
      return []
    }
  }

  /**
   * Those whose mode is another one than in their last pass. Not all of them name whom it depends on:
   * a cluster names its control plane, and not the other way round.
   */
  #inAnotherMode(): string[] {
    const { watches, memory } = this.#options
    const { kind } = this.#controller
    const isInAnother = (resource: KubeObject) => {
      try {
        const mode = this.#controller.modeFor(resource, watches)
        return mode !== memory.of(keyOf(resource)).mode
      } catch {
        // Told by its pass.
        return true
      }
    }
    return watches.list(kind, {}).filter(isInAnother).map(keyOf)
  }
}

const isOtherSpec = ({ object, previous }: Extract<Change<KubeObject>, { type: 'changed' }>) =>
  object.metadata.generation !== previous.metadata.generation ||
  object.metadata.uid !== previous.metadata.uid

const indexOf = ({ kind }: Controller, read: { kind: ApiKind }): string =>
  `${kind.kind} by ${kindId(read.kind)}`

const namesIn =
  (read: DeclaredRead) =>
  (resource: KubeObject): string[] =>
    (read.namedBy?.(resource) ?? []).map((name) =>
      read.kind.scope === 'Cluster' ? name : `${resource.metadata.namespace}/${name}`,
    )

/** The resources of the controller's kind that own an object. */
const ownersOf = ({ kind }: Controller, { metadata }: KubeObject): string[] =>
  (metadata.ownerReferences ?? [])
    .filter((owner) => owner.kind === kind.kind && owner.apiVersion.split('/')[0] === kind.group)
    .map(({ name }) => `${metadata.namespace}/${name}`)

/** Those that it is labelled as made by, as they are in the index. */
function makersOf({ kind }: Controller, { metadata }: KubeObject): string[] {
  const maker = metadata.labels?.[makerLabelOf(kind)]
  return maker === undefined ? [] : [`${metadata.namespace}/${maker}`]
}
