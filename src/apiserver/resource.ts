import type { FieldError } from './field-error.ts'
import type { Fields } from './objects.ts'
import type { User } from './request.ts'
import type { Schema } from './schema.ts'
import type { Steps } from './steps.ts'

/** A path below an object, such as `status`, and what is read and written there. */
export interface Subresource {
  /** `status`, `scale`, `eviction`, `token` … */
  name: string
  /** Kind, group and version of what goes over the wire there: `Scale` of `autoscaling/v1`. */
  kind: string
  group: string
  version: string
  verbs: readonly string[]
}

/** One kind in one version, as it is served: what discovery tells, and how its objects behave. */
export interface Resource {
  group: string
  version: string
  plural: string
  singular: string
  kind: string
  listKind: string
  namespaced: boolean
  shortNames: readonly string[]
  categories: readonly string[]
  verbs: readonly string[]
  subresources: readonly Subresource[]
  schema: Schema
  /**
   * Reads an object as its kind is typed: fails with a type that is wrong, and leaves out what the kind does
   * not know. `text` is what it was parsed from, if that can be shown in a failure. The given object is
   * not the caller's any more, and the result is. What was applied keeps its nulls, right or wrong.
   */
  decode(given: Fields, text?: string, options?: { keepsNulls: boolean }): Steps<Decoded>
  behaviour: Behaviour
  /** Objects of all versions of a kind are kept in one place, in one version. */
  stored: { group: string; plural: string; version: string }
  /** Of kinds with a scale subresource. */
  scaler?: Scaler
  /** What whoever uses this version is warned of. */
  deprecation?: string
  /** Why no object can be created, while that is so. */
  refusesCreates?: string
  /** Between the version that is served and the one that is kept. Left out: they are the same. */
  conversion?: { toStored(object: Fields): Fields; fromStored(object: Fields): Fields }
  /** Only what was stored before this revision is converted when it is read; left out, everything is. */
  convertsBefore?: number
  /** Defined by a CRD. */
  isCustom: boolean
}

export interface Decoded {
  object: Fields
  /** The paths of fields that the kind does not have. */
  unknown: readonly string[]
}

/** How many of something an object asks for, in the form that is the same for all kinds. */
export interface Scaler {
  /** As a `Scale` of `autoscaling/v1`, with `NO_REPLICAS` if the object does not say how many. */
  view(object: Fields): Fields
  /** Where the number is, as path elements: `f:spec`, `f:replicas`. */
  path: readonly string[]
  /** Changes the object in place. */
  set(object: Fields, replicas: number): void
}

/** What a write is told about its surroundings. */
export interface WriteContext {
  user: User
  /** As timestamps are written into objects. */
  now: string
  dryRun: boolean
  /** The subresource that is written to, if any. */
  subresource?: string
  /** What is already known to be wrong with the metadata. */
  metadataErrors?: readonly FieldError[]
  /** Tells the client something that does not stop the write. */
  warn(text: string): void
}

/**
 * What a kind does with its objects besides keeping them. Everything is synchronous and in the order
 * of this list; objects that are handed out may be changed in place, old ones never.
 */
export interface Behaviour {
  /** Fills in what was left out. Told twice about the same object, changes nothing. */
  setDefaults?(object: Fields): void
  /** The same, with pauses: of kinds that may take long. They have this instead. */
  fillDefaults?(object: Fields): Steps<void>
  /** Sets and drops what is the server's to say: the status of a new object, an allocated address. */
  prepareCreate?(object: Fields, context: WriteContext): void
  /** The same for a change; puts back what may not be changed by this way in (spec, or status). */
  prepareUpdate?(object: Fields, old: Fields, context: WriteContext): void
  /** What is wrong with a new object, or with the change from `old`; names and labels aside. */
  validate?(object: Fields, old: Fields | undefined, context: WriteContext): FieldError[]
  /** Told when the write of an object that was found right is over: kept or not. */
  settle?(object: Fields): void
  /** What `validate` is for, with pauses: of kinds that may take long. They have this instead. */
  check?(object: Fields, old: Fields | undefined, context: WriteContext): Steps<FieldError[]>
  /** Whether the objects have a `metadata.generation`, which counts the changes of their spec. */
  hasGeneration: boolean
  /** Which changes it counts; left out, those of everything but metadata and a status that is apart. */
  countsAsChange?(object: Fields, old: Fields): boolean
  /** Rules for names: `subdomain` unless told. */
  nameRule?: 'subdomain' | 'label' | 'label1035' | 'pathSegment'
  /** What a field selector can ask for, besides metadata.name and metadata.namespace. */
  selectableFields?: Readonly<Record<string, (object: Fields) => string>>
  printer?: Printer
  /** Seconds that a deleted object is left to end by itself, where a kind has that; asked: what the user wants. */
  gracePeriodSeconds?(object: Fields, asked: number | undefined): number
  /** What becomes of dependents when nothing is said; `Background` unless told. */
  defaultPropagation?: 'Orphan'
  /** Finalizers that an object gets when it is deleted: what must be done before it goes. */
  deletionFinalizers?: readonly string[]
  /** How an object that is being deleted shows it, if not as all do. */
  markDeleted?(object: Fields, old: Fields, now: string): Fields
  /** Whether a deletion is answered with the object that is gone. Most answer with a Status. */
  returnsDeleted?: boolean
  /** Whether it may be updated with no resourceVersion. Built-in kinds mostly may. */
  allowsUnconditionalUpdate: boolean
  /** Whether a PUT creates what is not there. */
  allowsCreateOnUpdate: boolean
  /** What a write of the status leaves alone besides the spec, as path elements: `['f:metadata', 'f:labels']`. */
  statusKeeps?: readonly (readonly string[])[]
}

/** A column of `kubectl get`, as a Table describes it. */
export interface Column {
  name: string
  type: string
  format: string
  description: string
  priority: number
}

export interface Printer {
  columns: readonly Column[]
  cells(object: Fields, now: Date): unknown[]
}
