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

/** A kind: everything about it that the API server, the docs and the types need. */
export interface Kind<
  Spec extends TObject = TObject,
  Status extends TObject = TObject,
  SpecRequired extends boolean = boolean,
> {
  group: string
  version: string
  kind: string
  plural: string
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
  /** Each condition type the kind's status carries, with one sentence of meaning. */
  conditions: Record<string, string>
}

/** An object of a kind, as the API serves it: defaults are filled in, status may not be there yet. */
export type Resource<K extends Kind> = {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  status?: Partial<Static<K['status']>>
} & (K['specRequired'] extends true ? { spec: Static<K['spec']> } : { spec?: Static<K['spec']> })

/** The part of Kubernetes' object metadata that we read or write. */
interface ObjectMeta {
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
}

interface OwnerReference {
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
>(
  kind: Kind<Spec, Status, SpecRequired>,
): Kind<Spec, Status, SpecRequired> => kind

/** The `Age` column that nearly every kind ends with. */
export const ageColumn: Column = {
  name: 'Age',
  jsonPath: '.metadata.creationTimestamp',
  type: 'date',
  description: 'How long ago the object was created.',
}
