/** A JSON object of which nothing is known yet. */
export type Fields = Record<string, unknown>

/** Who wrote which fields, as Kubernetes records it. */
export interface ManagedFields {
  manager: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  subresource?: string
  time: string
  fieldsType: 'FieldsV1'
  fieldsV1: Fields
}

interface Metadata extends Fields {
  name: string
  namespace?: string
  uid: string
  resourceVersion?: string
  generation?: number
  creationTimestamp: string
  deletionTimestamp?: string
  labels?: Record<string, string>
  finalizers?: string[]
  managedFields?: ManagedFields[]
}

/** An object as it is stored. Never changed in place: lists and watches share it. */
export interface KubeObject extends Fields {
  apiVersion: string
  kind: string
  metadata: Metadata
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function fieldsAt(fields: Fields, key: string): Fields {
  const value = fields[key]
  return isFields(value) ? value : {}
}

export function textAt(fields: Fields, key: string): string | undefined {
  const value = fields[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Without the fields that are undefined, which JSON would drop and comparisons would not. */
export const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The time of day as Kubernetes writes it: whole seconds. */
export const timestamp = (): string => `${new Date().toISOString().slice(0, 19)}Z`
