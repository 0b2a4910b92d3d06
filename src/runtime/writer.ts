import type { ApiKind, ObjectOf } from '#api/meta.ts'
import { OperatorError } from '#base/operator-error.ts'
import { ApiError, isNotFound } from '#kube/api-error.ts'
import type { Draft, KubeClient, Patch } from '#kube/client.ts'
import { kindId } from './kind-id.ts'
import type { OwnWrites } from './own-writes.ts'
import { WRITTEN_BY } from './written-by.ts'

/** A kind that a controller writes, and in which ways. */
export interface Write {
  kind: ApiKind
  verbs: readonly WriteVerb[]
}

type WriteVerb = 'create' | 'patch' | 'delete'

/** An object to be written, in the resource's namespace if it does not say. */
export type Named<K extends ApiKind> = Draft<K> & { metadata: { name: string } }

/**
 * How a controller acts on Kubernetes: only on the kinds that it declares, only while this process leads,
 * and so that its next look sees what it wrote.
 */
export interface Writer {
  /** Aborts when the step has taken too long, or when we may no longer act. For calls elsewhere. */
  readonly signal: AbortSignal
  /** Creates an object. One of that name that is there already is left alone, and yields undefined. */
  create<K extends ApiKind>(kind: K, object: Named<K>): Promise<ObjectOf<K> | undefined>
  /** Makes these fields so, by server-side apply, whoever had them before. Creates what is missing. */
  apply<K extends ApiKind>(kind: K, object: Named<K>): Promise<ObjectOf<K>>
  patch<K extends ApiKind>(kind: K, name: string, patch: Patch): Promise<ObjectOf<K>>
  /** Asks for deletion, of exactly this object if its uid is said. One that is gone is fine. */
  remove(kind: ApiKind, name: string, preconditions?: { uid: string }): Promise<void>
}

interface WriterOptions {
  client: KubeClient
  writes: readonly Write[]
  namespace: string
  signal: AbortSignal
  /** Throws when this process no longer leads. */
  assertLeading: () => void
  ownWrites: OwnWrites
}

export class DeclaredWriter implements Writer {
  readonly signal: AbortSignal
  readonly #options: WriterOptions

  constructor(options: WriterOptions) {
    this.#options = options
    this.signal = options.signal
  }

  async create<K extends ApiKind>(kind: K, object: Named<K>): Promise<ObjectOf<K> | undefined> {
    this.#mayWrite(kind, 'create')
    const { client, ownWrites } = this.#options
    try {
      const made = await client.create(kind, this.#placed(kind, object), this.#call)
      ownWrites.wrote(kind, made)
      return made
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'AlreadyExists') return undefined
      throw error
    }
  }

  async apply<K extends ApiKind>(kind: K, object: Named<K>): Promise<ObjectOf<K>> {
    // The server asks for both, as it may come to either.
    this.#mayWrite(kind, 'create')
    this.#mayWrite(kind, 'patch')
    const { client, ownWrites } = this.#options
    const options = { ...this.#call, force: true }
    const made = await client.apply(kind, this.#placed(kind, object), options)
    ownWrites.wrote(kind, made)
    return made
  }

  async patch<K extends ApiKind>(kind: K, name: string, patch: Patch): Promise<ObjectOf<K>> {
    this.#mayWrite(kind, 'patch')
    const { client, ownWrites } = this.#options
    const made = await client.patch(kind, this.#ref(kind, name), { ...patch, ...this.#call })
    ownWrites.wrote(kind, made)
    return made
  }

  async remove(kind: ApiKind, name: string, preconditions?: { uid: string }): Promise<void> {
    this.#mayWrite(kind, 'delete')
    const { client, ownWrites } = this.#options
    const ref = this.#ref(kind, name)
    // Asked before: afterwards the name may be another object's.
    const uid = preconditions?.uid ?? ownWrites.uidOf(kind, ref)
    const options = { ...this.#call, ...(preconditions && { preconditions }) }
    try {
      await client.remove(kind, ref, { propagation: 'Background', ...options })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    ownWrites.removed(kind, ref, uid)
  }

  get #call() {
    return {
      signal: this.signal,
      fieldManager: WRITTEN_BY,
      priority: 'user' as const,
      beforeSend: this.#options.assertLeading,
    }
  }

  #ref({ scope }: ApiKind, name: string): { name: string; namespace?: string } {
    return scope === 'Cluster' ? { name } : { name, namespace: this.#options.namespace }
  }

  #placed<K extends ApiKind>(kind: K, object: Named<K>): Named<K> {
    if (kind.scope === 'Cluster' || object.metadata.namespace !== undefined) return object
    return { ...object, metadata: { ...object.metadata, namespace: this.#options.namespace } }
  }

  #mayWrite(kind: ApiKind, verb: WriteVerb): void {
    const id = kindId(kind)
    const isDeclared = this.#options.writes.some(
      (write) => kindId(write.kind) === id && write.verbs.includes(verb),
    )
    if (!isDeclared) {
      throw new OperatorError('NotDeclared', {
        message: `would ${verb} ${kind.plural}, which is not among the writes that it declares`,
      })
    }
    this.#options.assertLeading()
  }
}
