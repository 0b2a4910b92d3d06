/** What the embedded API does otherwise than kube-apiserver, why, and the cases that show it. */
interface Difference {
  reason: string
  /** `subject: name`, or how such begin. */
  cases: readonly string[]
}

const DIFFERENCES: readonly Difference[] = [
  {
    reason: 'YAML is written in the order of the fields and indents lists.',
    cases: ['requests: YAML can be asked for', 'watches: a watch as YAML'],
  },
  {
    reason:
      'Of a field that is there twice in a JSON body, the last counts; Go merges maps. It is warned of in the same words.',
    cases: [
      'field validation: Warn: duplicate fields of a built-in object',
      'field validation: Ignore: duplicate fields of a built-in object',
    ],
  },
  {
    reason:
      'A patch that leads to an object which cannot be read is refused with that object in the message; its fields are in another order, and strategic patches are shown as JSON.',
    cases: [
      'field validation: Strict: unknown fields in patches of a built-in object',
      'field validation: Strict: unknown fields in patches of a custom object',
      'patches: a merge patch cannot change the kind',
      'patches: a merge patch cannot change the apiVersion',
      'patches: a merge patch with a wrong type is refused',
    ],
  },
  {
    reason:
      'A wrong key of a label or an annotation is told of twice, where Kubernetes does four times.',
    cases: ['patches: a JSON patch with escaped names is taken'],
  },
  {
    reason:
      'Scales of custom objects can be applied (Kubernetes fails with 500), and what is wrong with one is said of the Scale.',
    cases: [
      'apply: a scale is applied and its owner is seen',
      'subresources: a bad scale of a custom object is refused',
    ],
  },
  {
    reason: 'Conversion webhooks are refused: objects of all versions have one form.',
    cases: ['definitions: conversion by a webhook without one'],
  },
  {
    reason: 'A finalizer that belongs to no domain is warned of when nothing is stored, too.',
    cases: ['deletions: a bad finalizer is refused'],
  },
  {
    reason:
      'componentstatuses, and what only a kubelet can answer (logs, exec, proxy), are not served.',
    cases: ['discovery: the resources of v1', 'discovery: the core group at once'],
  },
  {
    reason:
      'OpenAPI documents hold the same types, but no descriptions of built-in kinds and other words for what all objects have, fewer responses and parameters, no defaults of lists, and references without a wrapper.',
    cases: ['discovery: OpenAPI v3'],
  },
  {
    reason:
      'A resourceVersion that is no number is refused as a bad request, not as an internal error.',
    cases: ['lists: one object is read at least as new as asked'],
  },
  {
    reason:
      'Protobuf is read from clients that send it, and never sent; of several media types the first that is known is taken.',
    cases: [
      'requests: custom objects are not sent as protobuf',
      'requests: the best of several media types is chosen',
    ],
  },
  {
    reason: 'OpenAPI v3 is JSON only: who takes nothing but protobuf is refused.',
    cases: ['openapi: OpenAPI v3 as protobuf'],
  },
  {
    reason: 'The certificate in kube-root-ca.crt is described in our own words.',
    cases: ['requests: bad values of parameters are refused'],
  },
  {
    reason: 'A whole number where an object belongs is called a float64.',
    cases: ['validation: a spec that is no object is refused'],
  },
  {
    reason: 'The paths with /watch/ in them, deprecated for years, are not served.',
    cases: ['watches: the old paths of watches are served'],
  },
  {
    reason:
      'A watch of metadata is one of PartialObjectMetadata, however it is asked for, and its bookmarks are whole.',
    cases: [
      'watches: a watch can ask for metadata lists',
      'watches: initial events as tables and as metadata',
    ],
  },
  {
    reason: 'An apiVersion that cannot be one is refused without an excerpt of the body.',
    cases: ['writes: a wrong apiVersion is refused'],
  },
]

/** Why a case differs, if it is known to. */
export const knownReason = (name: string): string | undefined =>
  DIFFERENCES.find(({ cases }) => cases.some((one) => name.startsWith(one)))?.reason

/** The cases that are named and do not exist. */
export const unknownNames = (names: readonly string[]): string[] =>
  DIFFERENCES.flatMap(({ cases }) => cases).filter(
    (one) => !names.some((name) => name.startsWith(one)),
  )
