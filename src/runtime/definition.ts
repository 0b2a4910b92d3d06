import type { ApiKind, Kind, KubeObject, ObjectOf } from '#api/meta.ts'
import type { Cached, Index } from '#kube/cache.ts'
import type { NamedObject } from './fetch-any-object.ts'
import type { Amendment, Failure, Farewell, Plan } from './plan.ts'
import type { CacheReader, Reader } from './reader.ts'
import type { Write, Writer } from './writer.ts'

/** A kind that a controller looks at, and whose changes wake it. */
export interface Read<K extends Kind> {
  kind: ApiKind
  /** `api`: asked of the server each time, and only changes of what `namedBy` names wake. `cache` if left out. */
  from?: 'cache' | 'api'
  /**
   * The names, in the resource's namespace, of those that the resource depends on. A change wakes the
   * resources that name it, besides those that own it or that it is labelled as made by.
   */
  namedBy?: (resource: ObjectOf<K>) => readonly string[]
  /**
   * The fields of an object's status that matter to those who name, own or made it: what else changes in
   * its status wakes none of them, unless it is being deleted. Left out: all of it matters.
   */
  statusFields?: readonly string[]
  /** Annotations that matter neither to those who name, own or made an object whose `statusFields` are said, nor to those of `wakes`. */
  quietAnnotations?: readonly string[]
  /**
   * The names, in an object's namespace, of further resources that it matters to though they do not name it,
   * found in the caches. They are woken by what is edited of the object, and not by its status.
   */
  wakes?: (object: KubeObject, read: CacheReader) => readonly string[]
  /** With it, those of `wakes` are woken when one of these fields of the status becomes another, and by nothing else. */
  wakingStatus?: readonly string[]
}

/**
 * A controller as it is written down. `observe` looks and decides nothing; `plan` and `teardown` decide
 * and touch nothing; each entry of `act` does one thing that does no harm when it is done twice.
 */
export interface Definition<K extends Kind, World, Step extends { do: string }> {
  kind: K
  /** A kind by itself stands for one that is read from the cache. */
  reads?: readonly (ApiKind | Read<K>)[]
  /**
   * That it looks at objects of kinds that only users name (see {@link Reader.fetchAny}), and which ones: a
   * change of what matters of these wakes the resource, as far as we may watch them.
   */
  readsAny?: (resource: ObjectOf<K>) => readonly NamedObject[]
  /** What the resources are found by, besides their names (see {@link CacheReader.find}), where there are many. */
  foundBy?: Readonly<Record<string, Index<ObjectOf<K>>>>
  /** A kind by itself stands for one that is created, patched and deleted. */
  writes?: readonly (ApiKind | Write)[]
  /**
   * The objects whose reconcile-mode holds for the resource too, as those that it belongs to: what any
   * of them forbids is not done. Found in the caches alone, because nothing else is looked at before.
   */
  modeFrom?: (resource: ObjectOf<K>, read: CacheReader) => readonly (KubeObject | undefined)[]
  /**
   * Wakes resources for what happens outside of the caches, by `namespace/name`. Called once, when the
   * controller begins to run; it ends with the signal. Keys of what is not there are ignored.
   */
  wokenBy?: (wake: (key: string) => void, signal: AbortSignal) => void
  observe: (resource: ObjectOf<K>, read: Reader) => World | Promise<World>
  plan: (resource: ObjectOf<K>, world: World, now: Date) => Plan<Step, K>
  /**
   * How what the resource stands for is taken down. `finished` lets the resource go, a farewell does too; a
   * plan without steps waits. Left out: nothing has to be taken down, and the resource gets no finalizer.
   */
  teardown?: (
    resource: ObjectOf<K>,
    world: World,
    now: Date,
  ) => Plan<Step, K> | Farewell | 'finished'
  act: Acts<K, World, Step>
  /**
   * Steps that the resource can do without: one that fails is told and counted, and neither ends the pass nor
   * speaks against Ready. The next look has to see that it was not done, and when to try again.
   */
  asides?: readonly Step['do'][]
  /**
   * What a pass that failed says of the status otherwise than its plan. Ready tells of the failure if this does not.
   * There is no world where it could not even be looked at.
   */
  whenFailed?: (failure: Failure, on: WhenFailed<K, World>) => Amendment<K>
  /** The field of the status that says when another one of it last changed. */
  updatedField?: string
  /** How a step is told. Left out: in the words of the step. */
  tell?: { [Do in Step['do']]?: (step: Extract<Step, { do: Do }>) => Told }
  /** The cluster that a resource belongs to: no cluster keeps another one waiting. */
  clusterOf?: (resource: ObjectOf<K>) => string
  /** How many passes are made at once, where most of a pass is waiting. Left out: as the settings say. */
  concurrency?: number
  /** How long a look and a step may take: 30 s and 60 s if left out. */
  deadlines?: { observeMs?: number; actMs?: number }
}

interface WhenFailed<K extends Kind, World> {
  resource: ObjectOf<K>
  world: World | undefined
}

/** What a controller can be told to decide by, instead of its own: other rules, another word on modes. */
export type DecidesBy<K extends Kind, World, Step extends { do: string }> = Partial<
  Pick<Definition<K, World, Step>, 'plan' | 'teardown' | 'modeFrom'>
>

/** How each step is done: a step without an entry does not compile. */
export type Acts<K extends Kind, World, Step extends { do: string }> = {
  [Do in Step['do']]: (step: Extract<Step, { do: Do }>, on: Occasion<K, World>) => Promise<unknown>
}

/** What a step is done on, with what this very pass saw, and how it writes. */
interface Occasion<K extends Kind, World> {
  resource: Cached<ObjectOf<K>>
  world: World
  write: Writer
}

/** A step in words: as a plan says it, and as events do when it was done or could not be. */
export interface Told {
  /** Reads on after "would" and "could not": `create TalosMachine one`. */
  deed: string
  /** The same as a fact: `TalosMachine one created`. */
  done: string
  /** CamelCase, of the event that it was done: `Created`. */
  reason: string
  /** CamelCase, of the event that it was not: `FailedCreate`. */
  failure: string
  /** What it means that the API has another version than the one looked at, for the log: `… exists already`. Left out: nothing. */
  conflict?: string
}
