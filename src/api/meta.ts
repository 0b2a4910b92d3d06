import type { Static, TObject } from 'typebox'
import type { Rule } from './schema.ts'

export const TALOS_GROUP = 'talos.alperen.cloud'
export const VITISTACK_GROUP = 'vitistack.io'

/** A column of `kubectl get`. */
export interface Column {
  name: string
  jsonPath: string
  type: 'string' | 'integer' | 'boolean' | 'date'
  description: string
  /** Above 0: shown only with `-o wide`. */
  priority?: number
}

/** What has to be known of a kind to talk about its objects with an API server. */
export interface ApiKind {
  /** Empty for the core group. */
  group: string
  version: string
  kind: string
  plural: string
  scope: 'Namespaced' | 'Cluster'
}

/**
 * What a type of condition means, in a sentence, and what it has to be for the object to be Ready. The
 * sentence alone stands for one that has to be True.
 */
type ConditionType = string | { meaning: string; forReady: 'False' | 'any' }

/** A kind of ours: everything about it that the API server, the docs and the types need. */
export interface Kind<
  Spec extends TObject = TObject,
  Status extends TObject = TObject,
  SpecRequired extends boolean = boolean,
  Conditions extends string = string,
> extends ApiKind {
  scope: 'Namespaced'
  /** The kind's file name everywhere: api, controllers, reference page, example, UI. */
  stem: string
  shortNames: string[]
  description: string
  columns: Column[]
  /** Rules over the whole object, where the spec alone does not tell (`self.metadata.name`). */
  rules?: Rule[]
  /** False where the published CRD accepts an object without any spec, which we then must too. */
  specRequired: SpecRequired
  spec: Spec
  status: Status
  /** Each condition type the kind's status carries. */
  conditions: Record<Conditions, ConditionType>
  /** Where it is not named after the kind. */
  finalizer?: string
}

/** The condition types of a kind. */
export type ConditionsOf<K extends Kind> = keyof K['conditions'] & string

/** An object of a kind, as the API serves it: defaults are filled in, status may not be there yet. */
export type Resource<K extends Kind> = {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  status?: Partial<Static<K['status']>>
} & (K['specRequired'] extends true ? { spec: Static<K['spec']> } : { spec?: Static<K['spec']> })

/** A kind that Kubernetes brings along, or that we know the shape of from elsewhere. */
export interface ForeignKind<Object extends KubeObject> extends ApiKind {
  /** Never there: it carries the type of the kind's objects. */
  readonly object?: Object
}

/** The type of a kind's objects. */
export type ObjectOf<K extends ApiKind> =
  K extends Kind<infer Spec, infer Status, infer SpecRequired>
    ? Resource<Kind<Spec, Status, SpecRequired>>
    : K extends ForeignKind<infer Object>
      ? Object
      : KubeObject

/** What every object has, whatever its kind. */
export interface KubeObject {
  apiVersion?: string
  kind?: string
  metadata: ObjectMeta
  /** What is there, as its controller saw it. The shape is the kind's. */
  status?: unknown
}

/** The part of Kubernetes' object metadata that we read or write. */
export interface ObjectMeta {
  name: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  managedFields?: unknown[]
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

/** Declares a kind. It is the only place where the kind exists: CRD, docs and types follow from it. */
export const defineKind = <
  Spec extends TObject,
  Status extends TObject,
  const SpecRequired extends boolean,
  Conditions extends string,
>(
  kind: Omit<Kind<Spec, Status, SpecRequired, Conditions>, 'scope'>,
): Kind<Spec, Status, SpecRequired, Conditions> => ({ ...kind, scope: 'Namespaced' })

/** `talos.alperen.cloud/v1alpha1`, or `v1` for the core group. */
export const apiVersionOf = ({ group, version }: ApiKind): string =>
  group === '' ? version : `${group}/${version}`

/** What keeps an object of the kind from going before we have taken down what it stands for. */
export const finalizerOf = ({ kind, group, finalizer }: Kind): string =>
  finalizer ?? `${kind.toLowerCase()}.${group}/finalizer`

/** The `Age` column that nearly every kind ends with. */
export const ageColumn: Column = {
  name: 'Age',
  jsonPath: '.metadata.creationTimestamp',
  type: 'date',
  description: 'How long ago the object was created.',
}
