import { makerLabelOf } from '#api/labels.ts'
import {
  type ApiKind,
  apiVersionOf,
  type Kind,
  type KubeObject,
  type ObjectOf,
  type OwnerReference,
} from '#api/meta.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Log } from '#base/log.ts'
import { OperatorError } from '#base/operator-error.ts'
import type { Definition, Read } from './definition.ts'
import { type Explained, explain } from './explain.ts'
import type { NamedObject } from './fetch-any-object.ts'
import { kindId } from './kind-id.ts'
import type { LookTools } from './look.ts'
import type { Memory } from './memory.ts'
import { Pass, type Tools } from './pass.ts'
import { DeclaredCacheReader, type Reach } from './reader.ts'
import { type Outcome, reconcile } from './reconcile.ts'
import { holderAmong, modeAmong, type ReconcileMode } from './reconcile-mode.ts'
import type { Watches } from './watches.ts'
import type { Write } from './writer.ts'

/** A kind that is read, whatever reads it. */
interface DeclaredRead {
  kind: ApiKind
  from: 'cache' | 'api'
  // A method, because it is only ever given resources of the controller's own kind.
  namedBy?(resource: KubeObject): readonly string[]
  statusFields?: readonly string[]
  quietAnnotations?: readonly string[]
  wakes?: NonNullable<Read<Kind>['wakes']>
  wakingStatus?: readonly string[]
}

/** One pass over one resource. */
interface PassRequest {
  tools: Tools
  key: string
  memory: Memory
  log: Log
  signal: AbortSignal
}

/** A question for what a pass would do. */
interface ExplainRequest {
  tools: LookTools
  key: string
  signal: AbortSignal
}

/** A controller as the runtime sees it, whatever its kind, its world and its steps. */
export interface Controller {
  readonly kind: Kind
  readonly reads: readonly DeclaredRead[]
  readonly writes: readonly Write[]
  /** What the resources are found by, and the values that one is found by. */
  readonly foundBy: readonly string[]
  found(by: string, resource: KubeObject): Iterable<string>
  /** How many passes are made at once; undefined: as the settings say. */
  readonly concurrency: number | undefined
  /** Whether resources are kept from going until they are taken down. */
  readonly hasTeardown: boolean
  /** The cluster that a resource belongs to. */
  clusterOf(resource: KubeObject): string
  /** What may be done for a resource, by its own mode and by those that hold for it too. */
  modeFor(resource: KubeObject, watches: Watches): ReconcileMode
  /** The keys of those that an object matters to, as its kind is declared to be read. */
  wokenFor(read: DeclaredRead, object: KubeObject, watches: Watches): readonly string[]
  /** What a resource names and no cache shows. */
  named(resource: KubeObject): readonly NamedObject[]
  /** Begins to wake resources for what happens outside of the caches. It ends with the signal. */
  wokenBy(wake: (key: string) => void, signal: AbortSignal): void
  /** Makes a pass. Nothing is done for a resource that is gone. */
  pass(request: PassRequest): Promise<Outcome>
  /**
   * What a pass would do now: the same look and the same plan, and nothing is written anywhere.
   * Undefined for a resource that is gone. Rejects with what a pass would fail with before its steps.
   */
  explain(request: ExplainRequest): Promise<Explained | undefined>
}

/** Declares a controller. What is watched, what it may reach for, and its permissions follow from it. */
export function defineController<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
): Controller {
  const { kind } = definition
  const reads = (definition.reads ?? []).map(asRead<K>)
  // The second would take the place of the first, and what only the first names would wake nobody.
  const twice = reads.find(
    ({ kind: read }, at) => reads.findIndex((one) => kindId(one.kind) === kindId(read)) !== at,
  )
  if (twice) throw new Error(`${kind.kind} reads ${kindId(twice.kind)} twice: declare it once`)
  const writes = (definition.writes ?? []).map(asWrite)
  const reach = reachOf(definition, reads)
  const restrainersOf = (resource: ObjectOf<K>, watches: Watches) => {
    const { namespace = '' } = resource.metadata
    const read = new DeclaredCacheReader({ watches, reach, namespace })
    return definition.modeFrom?.(resource, read) ?? []
  }
  const modeFor = (resource: ObjectOf<K>, watches: Watches) =>
    modeAmong(resource, restrainersOf(resource, watches))
  const controller: Controller = {
    kind,
    reads,
    writes,
    foundBy: Object.keys(definition.foundBy ?? {}),
    found: (by, resource: ObjectOf<K>) => definition.foundBy?.[by]?.(resource) ?? [],
    concurrency: definition.concurrency,
    hasTeardown: definition.teardown !== undefined,
    clusterOf: definition.clusterOf ?? (({ metadata }) => metadata.name),
    modeFor,
    wokenFor: ({ wakes }, object, watches) => {
      const { namespace = '' } = object.metadata
      const read = new DeclaredCacheReader({ watches, reach, namespace })
      return (wakes?.(object, read) ?? []).map((name) => `${namespace}/${name}`)
    },
    named: (resource: ObjectOf<K>) => [
      ...(definition.readsAny?.(resource) ?? []),
      ...askedFor(reads, resource),
    ],
    wokenBy: definition.wokenBy ?? (() => {}),
    pass: async ({ tools, key, memory, log, signal }) => {
      const resource = tools.watches.get(kind, key)
      if (!resource || memory.isStalled(key, resource)) return { wake: undefined, steps: [] }
      const { deadlines = {}, updatedField } = definition
      const mode = modeFor(resource, tools.watches)
      memory.of(key).mode = mode
      const on = { tools, kind, resource, mode, reach, writes, deadlines, updatedField }
      return reconcile(definition, resource, new Pass({ ...on, memory, key, log, signal }))
    },
    explain: async ({ tools, key, signal }) => {
      const resource = tools.watches.get(kind, key)
      if (!resource) return undefined
      const restrainers = restrainersOf(resource, tools.watches)
      const mode = modeAmong(resource, restrainers)
      const modeFrom = holderAmong(resource, restrainers)
      return explain(definition, resource, { tools, mode, modeFrom, reach, signal })
    },
  }
  return controller
}

const reachOf = <K extends Kind>(
  { kind, readsAny }: { kind: K; readsAny?: unknown },
  reads: readonly DeclaredRead[],
): Reach => {
  const idsFrom = (from: 'cache' | 'api') =>
    reads.filter((read) => read.from === from).map((read) => kindId(read.kind))
  return {
    cached: new Set([kindId(kind), ...idsFrom('cache')]),
    live: new Set(idsFrom('api')),
    any: readsAny !== undefined,
  }
}

/** What is named of the kinds that are asked of the server. */
const askedFor = (reads: readonly DeclaredRead[], resource: KubeObject): NamedObject[] =>
  reads
    .filter(({ from }) => from === 'api')
    .flatMap(({ kind, namedBy }) =>
      (namedBy?.(resource) ?? []).map((name) => ({
        ...{ apiVersion: apiVersionOf(kind), kind: kind.kind, name },
      })),
    )

/** The labels on what is made on behalf of a resource that does not own it. */
export const madeBy = (kind: Kind, { metadata }: KubeObject): Record<string, string> => ({
  [makerLabelOf(kind)]: labelValueOf(metadata.name),
})

/** A name as a label's value, which is shorter than a name may be. */
export const labelValueOf = (name: string): string =>
  name.length <= 63
    ? name
    : `${name.slice(0, 40)}-${fingerprint(name).replace(/[^a-zA-Z0-9]/g, '0')}`

/** The reference that makes a resource the owner of what it controls. */
export function ownedBy(kind: Kind, { metadata }: KubeObject): OwnerReference {
  // Without it, the garbage collector would take what we make for somebody else's.
  if (!metadata.uid) {
    const message = `${kind.kind} ${metadata.name} has no uid`
    throw new OperatorError('OwnerReferenceError', { message })
  }
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
}

const asRead = <K extends Kind>(read: ApiKind | Read<K>): Read<K> & { from: 'cache' | 'api' } =>
  isKind(read) ? { kind: read, from: 'cache' } : { from: 'cache', ...read }

const asWrite = (write: ApiKind | Write): Write =>
  isKind(write) ? { kind: write, verbs: ['create', 'patch', 'delete'] } : write

const isKind = (declared: ApiKind | { kind: ApiKind }): declared is ApiKind =>
  typeof declared.kind === 'string'
