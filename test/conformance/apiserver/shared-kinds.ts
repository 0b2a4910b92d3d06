import { setTimeout as delay } from 'node:timers/promises'
import type { Fields } from '#apiserver/objects.ts'
import type { RawHttp } from './raw-http.ts'
import { at, listAt } from './values.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const LOOK_EVERY_MS = 50
const PATIENCE_MS = 60_000

const text: Fields = { type: 'string' }
const integer: Fields = { type: 'integer' }
const list = (items: Fields, rest: Fields = {}): Fields => ({ type: 'array', items, ...rest })
const object = (properties: Fields, rest: Fields = {}): Fields => ({
  type: 'object',
  properties,
  ...rest,
})
const format = (name: string, type = 'string'): Fields => ({ type, format: name })

/** One field for each keyword that a schema may have. */
const keywords: Fields = {
  short: { type: 'string', minLength: 2, maxLength: 5 },
  lower: { type: 'string', pattern: '^[a-z]+$' },
  choice: { type: 'string', enum: ['a', 'b'] },
  number: { type: 'number', enum: [1, 2.5] },
  small: { type: 'integer', minimum: 1, maximum: 10 },
  between: {
    type: 'number',
    minimum: 0,
    maximum: 10,
    exclusiveMinimum: true,
    exclusiveMaximum: true,
  },
  even: { type: 'integer', multipleOf: 2 },
  flag: { type: 'boolean' },
  few: list(text, { minItems: 1, maxItems: 2 }),
  pairs: { type: 'object', additionalProperties: text, minProperties: 1, maxProperties: 2 },
  counts: { type: 'object', additionalProperties: integer },
  port: { 'x-kubernetes-int-or-string': true },
  percent: { 'x-kubernetes-int-or-string': true, pattern: '^[0-9]+%$' },
  either: object(
    { left: text, right: text },
    { oneOf: [{ required: ['left'] }, { required: ['right'] }] },
  ),
  any: object(
    { left: text, right: text },
    { anyOf: [{ required: ['left'] }, { required: ['right'] }] },
  ),
  all: object(
    { left: text, right: text },
    { allOf: [{ required: ['left'] }, { required: ['right'] }] },
  ),
  never: object({ left: text }, { not: { required: ['left'] } }),
  needy: object(
    { name: text, deep: object({ name: text }, { required: ['name'] }) },
    {
      required: ['name'],
    },
  ),
  perhaps: { type: 'string', nullable: true },
}

const formats: Fields = {
  int32: format('int32', 'integer'),
  int64: format('int64', 'integer'),
  time: format('date-time'),
  day: format('date'),
  duration: format('duration'),
  email: format('email'),
  ipv4: format('ipv4'),
  ipv6: format('ipv6'),
  cidr: format('cidr'),
  uri: format('uri'),
  hostname: format('hostname'),
  uuid: format('uuid'),
  bytes: format('byte'),
  mac: format('mac'),
  made: format('made-up'),
}

const lists: Fields = {
  tags: list(text, { 'x-kubernetes-list-type': 'set' }),
  ports: list(
    object(
      { name: text, protocol: { type: 'string', default: 'TCP' }, number: integer },
      { required: ['name'] },
    ),
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name', 'protocol'] },
  ),
  steps: list(object({ run: text }), { 'x-kubernetes-list-type': 'atomic' }),
  plain: list(object({ run: text })),
  whole: object({ a: text, b: text }, { 'x-kubernetes-map-type': 'atomic' }),
}

const openings: Fields = {
  raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  partly: object(
    { known: object({ name: text }) },
    { 'x-kubernetes-preserve-unknown-fields': true },
  ),
  template: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
  filled: object({
    colour: { type: 'string', default: 'red' },
    inner: object({ size: { type: 'integer', default: 3 } }, { default: {} }),
    items: list(object({ mode: { type: 'string', default: 'auto' } })),
    nothing: { type: 'string', nullable: true, default: 'something' },
  }),
}

const rule = (expression: string, rest: Fields = {}): Fields => ({ rule: expression, ...rest })

const rules: Fields = {
  range: object(
    { low: integer, high: integer },
    {
      'x-kubernetes-validations': [
        rule('!has(self.low) || !has(self.high) || self.low <= self.high', {
          message: 'low must not be above high',
          fieldPath: '.low',
        }),
      ],
    },
  ),
  fixed: {
    type: 'string',
    'x-kubernetes-validations': [rule('self == oldSelf', { message: 'it is fixed' })],
  },
  growing: {
    type: 'integer',
    'x-kubernetes-validations': [
      rule('self >= oldSelf', {
        // The estimated cost of string(self) is beyond the budget.
        messageExpression: "self < 0 ? 'it is negative' : 'it shrinks'",
        reason: 'FieldValueForbidden',
      }),
    ],
  },
  bare: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [rule("self != 'bad'")] },
  hosts: list(
    { type: 'string', maxLength: 50, 'x-kubernetes-validations': [rule("self.startsWith('h')")] },
    { maxItems: 5 },
  ),
}

const widgetSchema: Fields = object({
  spec: object({
    replicas: integer,
    mode: text,
    ...keywords,
    ...formats,
    ...lists,
    ...openings,
    ...rules,
  }),
  status: object({
    replicas: integer,
    selector: text,
    phase: text,
    observedGeneration: integer,
    conditions: list(
      object(
        { type: text, status: text, reason: text, message: text, lastTransitionTime: text },
        { required: ['type', 'status'] },
      ),
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
    ),
  }),
})

const column = (name: string, type: string, jsonPath: string): Fields => ({ name, type, jsonPath })

/** A CRD of one's own. Its plural is the kind in lower case and an `s`. */
export function definitionOf(group: string, kind: string, rest: Fields): Fields {
  const singular = kind.toLowerCase()
  const { spec, ...others } = rest
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: `${singular}s` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: spec } }],
      ...others,
    },
  }
}

/** Has every feature of a CRD in one version. */
const widget = (group: string): Fields =>
  definitionOf(group, 'Widget', {
    names: {
      kind: 'Widget',
      plural: 'widgets',
      singular: 'widget',
      listKind: 'WidgetList',
      shortNames: ['wd'],
      categories: ['all'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: widgetSchema },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
        selectableFields: [{ jsonPath: '.spec.mode' }, { jsonPath: '.spec.flag' }],
        additionalPrinterColumns: [
          column('Mode', 'string', '.spec.mode'),
          { ...column('Replicas', 'integer', '.spec.replicas'), description: 'How many' },
          { ...column('Tags', 'string', '.spec.tags'), priority: 1 },
          column('Ready', 'string', '.status.conditions[?(@.type=="Ready")].status'),
          column('Flag', 'boolean', '.spec.flag'),
          column('Number', 'number', '.spec.number'),
          column('Age', 'date', '.metadata.creationTimestamp'),
        ],
      },
    ],
  })

const loose: Fields = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** Of the cluster, in two versions, without subresources. */
const gadget = (group: string): Fields =>
  definitionOf(group, 'Gadget', {
    scope: 'Cluster',
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: loose } },
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        deprecated: true,
        schema: {
          openAPIV3Schema: object({ spec: object({ colour: { type: 'string', default: 'red' } }) }),
        },
      },
    ],
  })

/** Defines the kinds that all cases share. What it hands out removes them. */
export async function installSharedKinds(
  http: RawHttp,
  group: string,
): Promise<() => Promise<void>> {
  const definitions = [widget(group), gadget(group)]
  for (const body of definitions) {
    const { status, text: told } = await http.ask({ method: 'POST', path: CRDS, body })
    if (status !== 201 && status !== 409) throw new Error(told)
  }
  await untilServed(http, `/apis/${group}/v1/widgets`)
  await untilServed(http, `/apis/${group}/v1/gadgets`)
  await untilServed(http, `/apis/${group}/v1beta1/gadgets`)
  return async () => {
    for (const { metadata } of definitions) {
      await http.ask({ method: 'DELETE', path: `${CRDS}/${at(metadata, 'name')}` })
    }
  }
}

/** Waits until objects of a new kind can be listed, and discovery tells of the kind. */
async function untilServed(http: Pick<RawHttp, 'ask'>, path: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  const plural = path.split('/').at(-1)
  for (;;) {
    const { status } = await http.ask({ method: 'GET', path })
    const told = await http.ask({ method: 'GET', path: path.slice(0, path.lastIndexOf('/')) })
    const names = listAt(status === 200 ? JSON.parse(told.text) : {}, 'resources')
    if (status === 200 && names.some((one) => at(one, 'name') === plural)) return
    if (performance.now() > deadline) throw new Error(`${path} is not served: ${status}`)
    await delay(LOOK_EVERY_MS)
  }
}
