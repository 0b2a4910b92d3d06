import { makerLabelOf } from '#api/labels.ts'
import {
  type ApiKind,
  apiVersionOf,
  type Kind,
  type KubeObject,
  type OwnerReference,
} from '#api/meta.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Log } from '#base/log.ts'
import type { Definition, Read } from './definition.ts'
import { kindId } from './kind-id.ts'
import type { Memory } from './memory.ts'
import { Pass, type Tools } from './pass.ts'
import { type Outcome, reconcile } from './reconcile.ts'
import type { Write } from './writer.ts'

/** A kind that is read, whatever reads it. */
interface DeclaredRead {
  kind: ApiKind
  from: 'cache' | 'api'
  // A method, because it is only ever given resources of the controller's own kind.
  namedBy?(resource: KubeObject): readonly string[]
}

/** One pass over one resource. */
interface PassRequest {
  tools: Tools
  key: string
  memory: Memory
  log: Log
  signal: AbortSignal
}

/** A controller as the runtime sees it, whatever its kind, its world and its steps. */
export interface Controller {
  readonly kind: Kind
  readonly reads: readonly DeclaredRead[]
  readonly writes: readonly Write[]
  /** Whether resources are kept from going until they are taken down. */
  readonly hasTeardown: boolean
  /** The cluster that a resource belongs to. */
  clusterOf(resource: KubeObject): string
  /** Makes a pass. Nothing is done for a resource that is gone. */
  pass(request: PassRequest): Promise<Outcome>
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
  const idsFrom = (from: 'cache' | 'api') =>
    reads.filter((read) => read.from === from).map((read) => kindId(read.kind))
  const cached = new Set([kindId(kind), ...idsFrom('cache')])
  const live = new Set(idsFrom('api'))
  const controller: Controller = {
    kind,
    reads,
    writes,
    hasTeardown: definition.teardown !== undefined,
    clusterOf: definition.clusterOf ?? (({ metadata }) => metadata.name),
    pass: async ({ tools, key, memory, log, signal }) => {
      const resource = tools.watches.get(kind, key)
      if (!resource || memory.isStalled(key, resource)) return { wake: undefined, steps: [] }
      const { deadlines = {} } = definition
      return reconcile(
        definition,
        resource,
        new Pass({
          ...{ tools, kind, resource, cached, live, writes, deadlines },
          ...{ memory, key, log, signal },
        }),
      )
    },
  }
  return controller
}

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
  if (!metadata.uid) throw new Error(`${kind.kind} ${metadata.name} has no uid`)
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
