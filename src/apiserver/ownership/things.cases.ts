import type { Fields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'

const text: Schema = { type: 'string' }

/** A kind with every sort of list and map. */
export const thingSchema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        text,
        set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        list: { type: 'array', items: text },
        labels: { type: 'object', additionalProperties: text },
        whole: { type: 'object', properties: { a: text }, 'x-kubernetes-map-type': 'atomic' },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            properties: {
              port: { type: 'integer' },
              protocol: { type: 'string', default: 'TCP' },
              name: text,
              target: { 'x-kubernetes-int-or-string': true },
            },
          },
        },
      },
    },
    status: { type: 'object', properties: { phase: text } },
  },
}

export const apiVersion = 'example.com/v1'
export const early = '2026-01-01T00:00:00Z'
export const late = '2026-01-02T00:00:00Z'
export const nothing: Fields = { apiVersion, kind: 'Thing' }

/** A thing with a name and a spec. */
export const thing = (spec: Fields, metadata: Fields = {}): Fields => ({
  ...nothing,
  metadata: { name: 'x', ...metadata },
  spec,
})

/** An entry of `managedFields`. */
export const entry = (manager: string, operation: string, fieldsV1: Fields): Fields => ({
  manager,
  operation,
  apiVersion,
  time: early,
  fieldsType: 'FieldsV1',
  fieldsV1,
})
