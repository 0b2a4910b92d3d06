/** A rule in CEL, as a CRD states it. */
export interface ValidationRule {
  rule: string
  message?: string
  messageExpression?: string
  reason?: string
  fieldPath?: string
  optionalOldSelf?: boolean
}

/**
 * The shape of a value: what a CRD's `openAPIV3Schema` holds, and what the table of built-in kinds is
 * unfolded into. References are resolved, so a schema may contain itself: never walk one without
 * walking a value beside it. Treat as immutable; what is compiled from one is kept in a WeakMap.
 */
export interface Schema {
  type?: string
  format?: string
  description?: string
  title?: string
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema | boolean
  items?: Schema
  required?: readonly string[]
  default?: unknown
  enum?: readonly unknown[]
  nullable?: boolean
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: boolean
  exclusiveMaximum?: boolean
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  maxProperties?: number
  allOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  not?: Schema
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-embedded-resource'?: boolean
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  'x-kubernetes-list-map-keys'?: readonly string[]
  'x-kubernetes-map-type'?: 'atomic' | 'granular'
  'x-kubernetes-validations'?: readonly ValidationRule[]
  /** Of built-in kinds only: how a strategic merge patch treats the list. */
  'x-kubernetes-patch-merge-key'?: string
  'x-kubernetes-patch-strategy'?: string
}
