import type { Schema } from '#apiserver/schema.ts'

const text: Schema = { type: 'string' }
const time: Schema = { type: 'string', format: 'date-time' }
const whole: Schema = { type: 'integer', format: 'int64' }
const texts: Schema = { type: 'object', additionalProperties: text }

const ownerReference: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    blockOwnerDeletion: { type: 'boolean' },
    controller: { type: 'boolean' },
    kind: text,
    name: text,
    uid: { type: 'string', default: '' },
  },
  'x-kubernetes-map-type': 'atomic',
}

const managedFieldsEntry: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    fieldsType: text,
    fieldsV1: { type: 'object' },
    manager: text,
    operation: text,
    subresource: text,
    time,
  },
}

/** The shape of `metadata`, which is the same in objects of all kinds. */
export const objectMetaSchema: Schema = {
  type: 'object',
  properties: {
    annotations: texts,
    creationTimestamp: time,
    deletionGracePeriodSeconds: whole,
    deletionTimestamp: time,
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    generateName: text,
    generation: whole,
    labels: texts,
    managedFields: { type: 'array', items: managedFieldsEntry, 'x-kubernetes-list-type': 'atomic' },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      items: ownerReference,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
}
