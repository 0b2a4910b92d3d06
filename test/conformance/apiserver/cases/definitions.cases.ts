import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { definitionOf } from '#test/conformance/apiserver/shared-kinds.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const groupOf = ({ id }: Stage): string => `${id}.example.org`
const text: Fields = { type: 'string' }
const object = (properties: Fields, rest: Fields = {}): Fields => ({
  type: 'object',
  properties,
  ...rest,
})
const schemaOf = (properties: Fields, rest: Fields = {}): Fields =>
  object({ spec: object(properties, rest) })

/** Defines a kind of this schema. Nothing is stored. */
const withSchema = (name: string, schema: Fields): Case =>
  asking(
    name,
    (stage) =>
      stage.post(`${CRDS}?dryRun=All`, definitionOf(groupOf(stage), 'Thing', { spec: schema })),
    { alone: true },
  )

const version = (name: string, rest: Fields = {}): Fields => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: object({}) },
  ...rest,
})

const thing = (stage: Stage, rest: Fields): Fields =>
  definitionOf(groupOf(stage), 'Thing', { spec: object({}), ...rest })

/** Defines a kind with other parts of its spec. Nothing is stored. */
const withSpec = (name: string, spec: (stage: Stage) => Fields): Case =>
  asking(name, (stage) => stage.post(`${CRDS}?dryRun=All`, thing(stage, spec(stage))), {
    alone: true,
  })

const forms: Case[] = [
  withSpec('a kind is defined, with all defaults', () => ({})),
  withSpec('a kind in two versions', () => ({
    versions: [version('v1'), version('v1beta1', { storage: false })],
  })),
  withSpec('no version', () => ({ versions: [] })),
  withSpec('no version that is stored', () => ({ versions: [version('v1', { storage: false })] })),
  withSpec('two versions that are stored', () => ({ versions: [version('v1'), version('v2')] })),
  withSpec('a version twice', () => ({
    versions: [version('v1'), version('v1', { storage: false })],
  })),
  withSpec('a bad name of a version', () => ({ versions: [version('V 1')] })),
  withSpec('a version without a schema', () => ({
    versions: [{ name: 'v1', served: true, storage: true }],
  })),
  withSpec('a version that is deprecated', () => ({
    versions: [version('v1', { deprecated: true, deprecationWarning: 'do not' })],
  })),
  withSpec('a warning of a version that is not deprecated', () => ({
    versions: [version('v1', { deprecationWarning: 'do not' })],
  })),
  withSpec('a scope that is none', () => ({ scope: 'Galaxy' })),
  withSpec('no scope', () => ({ scope: '' })),
  withSpec('names that do not fit', () => ({ names: { kind: 'Thing', plural: 'others' } })),
  withSpec('a plural in capitals', () => ({ names: { kind: 'Thing', plural: 'Things' } })),
  withSpec('no kind', () => ({ names: { kind: '', plural: 'things' } })),
  withSpec('bad short names and categories', () => ({
    names: { kind: 'Thing', plural: 'things', shortNames: ['A b'], categories: ['Ü'] },
  })),
  withSpec('a list kind that is the kind', () => ({
    names: { kind: 'Thing', plural: 'things', listKind: 'Thing' },
  })),
  withSpec('a group without a dot', () => ({ group: 'nodot' })),
  withSpec('conversion by a webhook without one', () => ({ conversion: { strategy: 'Webhook' } })),
  withSpec('an unknown conversion', () => ({ conversion: { strategy: 'Magic' } })),
  withSpec('preserveUnknownFields is refused', () => ({ preserveUnknownFields: true })),
  withSpec('columns', () => ({
    versions: [
      version('v1', {
        additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a', priority: 1 }],
      }),
    ],
  })),
  withSpec('bad columns', () => ({
    versions: [
      version('v1', {
        additionalPrinterColumns: [{ name: '', type: 'thing', jsonPath: 'spec', format: 'x' }],
      }),
    ],
  })),
  withSpec('a bad path of a scale', () => ({
    versions: [
      version('v1', { subresources: { scale: { specReplicasPath: 'x', statusReplicasPath: '' } } }),
    ],
  })),
  withSpec('selectable fields', () => ({
    versions: [
      version('v1', {
        schema: { openAPIV3Schema: schemaOf({ a: text, o: object({}) }) },
        selectableFields: [{ jsonPath: '.spec.a' }],
      }),
    ],
  })),
  withSpec('bad selectable fields', () => ({
    versions: [
      version('v1', {
        schema: { openAPIV3Schema: schemaOf({ a: text, o: object({}) }) },
        selectableFields: [
          { jsonPath: '.spec.o' },
          { jsonPath: '.spec.none' },
          { jsonPath: '.metadata.name' },
          { jsonPath: '.spec.a' },
          { jsonPath: '.spec.a' },
        ],
      }),
    ],
  })),
  asking(
    'a protected group needs an approval',
    (stage) =>
      stage.post(
        `${CRDS}?dryRun=All`,
        definitionOf(`${stage.id}.k8s.io`, 'Thing', { spec: object({}) }),
      ),
    { alone: true },
  ),
  asking(
    'unknown fields of a definition',
    (stage) =>
      stage.post(
        `${CRDS}?dryRun=All&fieldValidation=Strict`,
        definitionOf(groupOf(stage), 'Thing', {
          spec: { type: 'object', unknown: 1, properties: { a: { typo: 'string' } } },
        }),
      ),
    { alone: true },
  ),
]

const schemas: Case[] = [
  withSchema('a schema that is no object', { type: 'string' }),
  withSchema('a field without a type', schemaOf({ a: {} })),
  withSchema('a field of an unknown type', schemaOf({ a: { type: 'thing' } })),
  withSchema('a list without items', schemaOf({ a: { type: 'array' } })),
  withSchema('a list of several schemas', schemaOf({ a: { type: 'array', items: [text] } })),
  withSchema(
    'properties and additionalProperties exclude each other',
    schemaOf({ a: object({ b: text }, { additionalProperties: text }) }),
  ),
  withSchema(
    'additionalProperties: false',
    schemaOf({ a: { type: 'object', additionalProperties: false } }),
  ),
  withSchema('uniqueItems', schemaOf({ a: { type: 'array', items: text, uniqueItems: true } })),
  withSchema('a reference', schemaOf({ a: { $ref: '#/definitions/x' } })),
  withSchema('a bad pattern', schemaOf({ a: { type: 'string', pattern: '(' } })),
  withSchema('a lookahead in a pattern', schemaOf({ a: { type: 'string', pattern: '(?=a)b' } })),
  withSchema('nullable in anyOf', schemaOf({ a: { type: 'string', anyOf: [{ nullable: true }] } })),
  withSchema('a type in anyOf', schemaOf({ a: { type: 'string', anyOf: [{ type: 'string' }] } })),
  withSchema(
    'a field in anyOf that is nowhere else',
    schemaOf({ a: object({}, { anyOf: [{ properties: { b: { minLength: 1 } } }] }) }),
  ),
  withSchema('a good default', schemaOf({ a: { type: 'string', default: 'x' } })),
  withSchema('a default of the wrong type', schemaOf({ a: { type: 'string', default: 5 } })),
  withSchema(
    'a default that is not valid',
    schemaOf({ a: { type: 'string', maxLength: 2, default: 'long' } }),
  ),
  withSchema(
    'a default with unknown fields',
    schemaOf({ a: object({ b: text }, { default: { c: 1 } }) }),
  ),
  withSchema('a default of metadata', object({ metadata: { type: 'object', default: {} } })),
  withSchema(
    'the schema of metadata',
    object({ metadata: object({ name: { type: 'string', pattern: '^a' } }) }),
  ),
  withSchema(
    'too much about metadata',
    object({
      metadata: object(
        { labels: { type: 'object', additionalProperties: text } },
        { minProperties: 2 },
      ),
    }),
  ),
  withSchema(
    'x-kubernetes-preserve-unknown-fields: false',
    schemaOf({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } }),
  ),
  withSchema(
    'int-or-string with a type',
    schemaOf({ a: { type: 'string', 'x-kubernetes-int-or-string': true } }),
  ),
  withSchema(
    'an embedded resource that is no object',
    schemaOf({ a: { type: 'string', 'x-kubernetes-embedded-resource': true } }),
  ),
  withSchema(
    'an unknown list type',
    schemaOf({ a: { type: 'array', items: text, 'x-kubernetes-list-type': 'bag' } }),
  ),
  withSchema(
    'a list type of what is no list',
    schemaOf({ a: { type: 'string', 'x-kubernetes-list-type': 'set' } }),
  ),
  withSchema(
    'a list by key without keys',
    schemaOf({ a: { type: 'array', items: object({ k: text }), 'x-kubernetes-list-type': 'map' } }),
  ),
  withSchema(
    'a list by a key that is not there',
    schemaOf({
      a: {
        type: 'array',
        items: object({ k: text }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['x'],
      },
    }),
  ),
  withSchema(
    'a list by a key that is neither required nor has a default',
    schemaOf({
      a: {
        type: 'array',
        items: object({ k: text }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    }),
  ),
  withSchema(
    'a list by text',
    schemaOf({
      a: {
        type: 'array',
        items: text,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    }),
  ),
  withSchema(
    'a set of objects',
    schemaOf({ a: { type: 'array', items: object({ k: text }), 'x-kubernetes-list-type': 'set' } }),
  ),
  withSchema('an unknown map type', schemaOf({ a: object({}, { 'x-kubernetes-map-type': 'x' }) })),
  withSchema('required fields twice', schemaOf({ a: text }, { required: ['a', 'a'] })),
  withSchema('a required field that is not there', schemaOf({ a: text }, { required: ['b'] })),
  withSchema('an enum of the wrong type', schemaOf({ a: { type: 'string', enum: [1] } })),
  withSchema('bounds that cross', schemaOf({ a: { type: 'integer', minimum: 5, maximum: 1 } })),
]

const rules = (
  name: string,
  rule: Fields | string,
  on: Fields = { type: 'string', maxLength: 10 },
): Case =>
  withSchema(
    `rule: ${name}`,
    schemaOf({
      a: { ...on, 'x-kubernetes-validations': [typeof rule === 'string' ? { rule } : rule] },
    }),
  )

const expressions: Case[] = [
  rules('good', "self != ''"),
  rules('empty', ''),
  rules('of bad syntax', 'self =='),
  rules('with an unknown name', 'other == 1'),
  rules('with an unknown field', 'self.b == 1', object({ c: text })),
  rules('with an unknown function', 'self.shout()'),
  rules('of wrong types', 'self == 5'),
  rules('that is no boolean', 'self'),
  rules('with a bad regular expression', "self.matches('(')"),
  rules('that costs too much', 'self.all(x, self.all(y, self.all(z, x == y)))', {
    type: 'array',
    items: text,
  }),
  rules('with an empty message', { rule: 'true', message: '' }),
  rules('with a message of two lines', { rule: 'true', message: 'a\nb' }),
  rules('of two lines without a message', "self != 'a'\n&& self != 'b'"),
  rules('with a bad message expression', { rule: 'true', messageExpression: '5' }),
  rules('with a message expression of bad syntax', { rule: 'true', messageExpression: "'a' +" }),
  rules('with an unknown reason', { rule: 'true', reason: 'Because' }),
  rules('with a bad path', { rule: 'true', fieldPath: '.none' }, object({ c: text })),
  rules('with a path that is no path', { rule: 'true', fieldPath: 'c' }, object({ c: text })),
  rules('with oldSelf in a list that has no keys', 'self == oldSelf', {
    type: 'array',
    maxItems: 5,
    items: {
      type: 'string',
      maxLength: 5,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf' }],
    },
  }),
  rules('with optionalOldSelf', {
    rule: '!oldSelf.hasValue() || self == oldSelf.value()',
    optionalOldSelf: true,
  }),
  rules('with optionalOldSelf and no oldSelf', { rule: "self != ''", optionalOldSelf: true }),
  rules(
    'with functions of Kubernetes',
    "isURL(self) || self.find('[0-9]+') != '' || quantity('1').isGreaterThan(quantity('0')) || ip.isCanonical(self) || [1].isSorted()",
  ),
  rules('on a map', "self.all(k, k.startsWith('a'))", {
    type: 'object',
    maxProperties: 5,
    additionalProperties: { type: 'string', maxLength: 5 },
  }),
  rules(
    'with a reserved word',
    'self.__namespace__ == self.x__dash__y',
    object({ namespace: text, 'x-y': text }),
  ),
]

const formats = (...names: string[]): Fields =>
  schemaOf(Object.fromEntries(names.map((format) => [format, { type: 'string', format }])))

const warnings: Case[] = [
  withSchema('formats that are known', formats('date-time', 'uuid3', 'k8s-short-name', 'password')),
  withSchema('a format that is not known is warned of', formats('made-up', 'date')),
  withSchema('a format of a number for a text', formats('int32')),
  withSchema('a format for a boolean', schemaOf({ a: { type: 'boolean', format: 'flag' } })),
  withSchema('a format of items', {
    ...schemaOf({ a: { type: 'array', items: { type: 'integer', format: 'int16' } } }),
  }),
  withSchema(
    'a format is not warned of where the schema is wrong',
    schemaOf({ a: { format: 'made-up' } }),
  ),
  asking(
    'a format is warned of once',
    async (stage) => {
      const show = () => ''
      const define = (format: string, rest: Fields = {}) =>
        definitionOf(groupOf(stage), 'Warned', {
          spec: schemaOf({ a: { type: 'string', format, ...rest } }),
        })
      const path = `${CRDS}/warneds.${groupOf(stage)}`
      const contentType = 'application/merge-patch+json'
      await stage.post(CRDS, define('first'), { show })
      await stage.patch(path, define('first', { description: 'more' }), { contentType, show })
      await stage.patch(path, define('second'), { contentType, show })
      await stage.patch(`${path}/status`, define('third'), { contentType, show })
      await stage.delete(path, undefined, { show })
    },
    { alone: true },
  ),
]

export const definitionsCases: Subject = {
  subject: 'definitions',
  cases: [...forms, ...schemas, ...expressions, ...warnings],
}
