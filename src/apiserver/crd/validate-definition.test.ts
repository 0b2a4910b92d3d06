import { describe, expect, it } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { atOnce } from '#apiserver/steps.ts'
import { defaultDefinition, prepareChangedDefinition, prepareNewDefinition } from './definition.ts'
import { definitionWarnings } from './definition-warnings.ts'
import { validateDefinition } from './validate-definition.ts'

const root = 'spec.validation.openAPIV3Schema'
const a = `${root}.properties[spec].properties[a]`

interface Changes {
  /** The schema of spec.a. */
  a?: Fields
  schema?: Fields
  version?: Fields
  spec?: Fields
  metadata?: Fields
}

function crdOf({
  a: inner = { type: 'string' },
  schema,
  version,
  spec,
  metadata,
}: Changes): Fields {
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: inner } } },
    ...schema,
  }
  const crd: Fields = {
    metadata: { name: 'cs.example.com', ...metadata },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'cs', kind: 'C' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version },
      ],
      ...spec,
    },
  }
  defaultDefinition(crd)
  prepareNewDefinition(crd)
  return crd
}

const errorsOf = (changes: Changes): string[] =>
  atOnce(validateDefinition(crdOf(changes), undefined)).map(
    ({ field, message }) => `${field}: ${message}`,
  )

describe('a CRD', () => {
  it('gets its names, its conversion and the version it stores', () => {
    const crd = crdOf({})

    expect(crd).toMatchObject({
      spec: {
        names: { plural: 'cs', kind: 'C', singular: 'c', listKind: 'CList' },
        conversion: { strategy: 'None' },
      },
      status: {
        conditions: null,
        acceptedNames: { plural: '', kind: '' },
        storedVersions: ['v1'],
      },
    })
    expect(atOnce(validateDefinition(crd, undefined))).toEqual([])
  })

  const versions =
    '[{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]'

  /** As kube-apiserver v1.36.4 refuses them. */
  it.each<[changes: Changes, ...errors: string[]]>([
    [
      { metadata: { name: 'x.y.z' } },
      'metadata.name: Invalid value: "x.y.z": must be spec.names.plural+"."+spec.group',
    ],
    [
      { spec: { scope: 'X' } },
      'spec.scope: Unsupported value: "X": supported values: "Cluster", "Namespaced"',
    ],
    [{ spec: { scope: undefined } }, 'spec.scope: Required value'],
    [{ version: { schema: undefined } }, 'spec.versions[0].schema.openAPIV3Schema: Required value'],
    [
      { version: { storage: false } },
      `spec.versions: Invalid value: ${versions}: must have exactly one version marked as storage version`,
      'status.storedVersions: Invalid value: null: must have at least one stored version',
    ],
    [
      { version: { deprecationWarning: 'x' } },
      'spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions',
    ],
    [{ a: {} }, `${a}.type: Required value: must not be empty for specified object fields`],
    [
      { a: { type: 'foo' } },
      `${a}.type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
    [{ a: { type: 'array' } }, `${a}.items: Required value: must be specified`],
    [
      { a: { type: 'array', items: {} } },
      `${a}.items.type: Required value: must not be empty for specified array items`,
    ],
    [
      { a: { type: 'string', pattern: '(a' } },
      `${a}.pattern: Invalid value: "(a": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(a\``,
    ],
    [
      {
        a: {
          type: 'object',
          properties: { x: { type: 'string' } },
          additionalProperties: { type: 'string' },
        },
      },
      `${a}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
    ],
    [
      { a: { type: 'string', anyOf: [{ type: 'string', description: 'x' }] } },
      `${a}.anyOf[0].description: Forbidden: must be empty to be structural`,
      `${a}.anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
    [
      {
        a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      },
    ],
    [
      {
        a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
      },
      `${a}.anyOf[0].type: Forbidden: must be empty to be structural`,
      `${a}.anyOf[1].type: Forbidden: must be empty to be structural`,
    ],
    [
      { a: { 'x-kubernetes-preserve-unknown-fields': false, type: 'object' } },
      `${a}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
    ],
    [{ a: { $ref: '#/x' } }, `${a}.$ref: Forbidden: $ref is not supported`],
    [
      { a: { type: 'string', $schema: 'x' } },
      `${root}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`,
    ],
    [
      { a: { type: 'string', default: 5 } },
      `${a}.default: Invalid value: "integer":  in body must be of type string: "integer"`,
    ],
    [
      { a: { type: 'object', default: { b: 1 } } },
      `${a}.default: Invalid value: {"b":1}: must not have unknown fields`,
    ],
    [
      {
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', properties: { k: { type: 'string' } } },
        },
      },
      `${a}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
    [
      { a: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } } },
      `${a}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
    ],
    [
      { a: { type: 'string', 'x-kubernetes-list-type': 'y' } },
      `${a}.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`,
      `${a}.x-kubernetes-list-type: Unsupported value: "y": supported values: "atomic", "set", "map"`,
    ],
    [
      { a: { 'x-kubernetes-embedded-resource': true } },
      `${a}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      `${a}.type: Required value: must be object if x-kubernetes-embedded-resource is true`,
    ],
    [
      { a: { type: 'string', 'x-kubernetes-validations': [{ rule: ' ' }] } },
      `${a}.x-kubernetes-validations[0].rule: Required value: rule is not specified`,
    ],
    [
      {
        schema: {
          properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
        },
      },
      `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
    [
      {
        schema: {
          properties: {
            metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } },
          },
        },
      },
    ],
    [
      { schema: { properties: { kind: { type: 'string', default: 'x' } } } },
      `${root}.properties[kind].default: Forbidden: must not be set in top-level kind`,
    ],
    [
      { schema: { type: 'string' } },
      `${root}.type: Invalid value: "string": must be object at the root`,
    ],
    [
      { schema: { anyOf: [{ properties: { foo: { minLength: 1 } } }] } },
      `${root}.properties[foo]: Required value: because it is defined in ${root}.anyOf[0].properties[foo]`,
    ],
    [
      {
        version: {
          subresources: {
            scale: {
              specReplicasPath: '.x',
              statusReplicasPath: 'status.r',
              labelSelectorPath: '.metadata.x',
            },
          },
        },
      },
      'spec.subresources.scale.specReplicasPath: Invalid value: ".x": should be a json path under .spec',
      'spec.subresources.scale.statusReplicasPath: Invalid value: "status.r": must be a simple json path starting with .',
      'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.x": should be a json path under either .spec or .status',
    ],
    [
      { version: { additionalPrinterColumns: [{ name: '', type: 'x', jsonPath: 'spec' }] } },
      'spec.additionalPrinterColumns[0].name: Required value',
      'spec.additionalPrinterColumns[0].type: Invalid value: "x": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .',
    ],
    [
      {
        version: {
          selectableFields: [
            { jsonPath: '.spec.a' },
            { jsonPath: '.spec.b' },
            { jsonPath: '.spec' },
            { jsonPath: '.spec.a' },
          ],
        },
      },
      'spec.selectableFields[1].jsonPath: Invalid value: ".spec.b": is an invalid path: does not refer to a valid field',
      'spec.selectableFields[2].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      'spec.selectableFields[3].jsonPath: Duplicate value: ".spec.a"',
    ],
    [
      { version: { selectableFields: [{ jsonPath: '' }, { jsonPath: ".spec['a']" }] } },
      'spec.selectableFields[0].jsonPath: Required value',
      'spec.selectableFields[1].jsonPath: Invalid value: ".spec[\'a\']": is an invalid path: array notation is not allowed',
    ],
    [
      {
        a: {
          type: 'object',
          properties: { b: { type: 'string' } },
          'x-kubernetes-validations': [
            { rule: 'true', fieldPath: "['b']" },
            { rule: 'true', fieldPath: "['c']" },
            { rule: 'true', fieldPath: '.b' },
          ],
        },
      },
      `${a}.x-kubernetes-validations[1].fieldPath: Invalid value: "['c']": must be a valid path`,
    ],
    [
      { spec: { preserveUnknownFields: true } },
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ],
    [
      { spec: { conversion: { strategy: 'X' } } },
      'spec.conversion.strategy: Unsupported value: "X": supported values: "None", "Webhook"',
    ],
    [
      { spec: { group: 'x.k8s.io' }, metadata: { name: 'cs.x.k8s.io' } },
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
    [
      {
        spec: { group: 'x.k8s.io' },
        metadata: {
          name: 'cs.x.k8s.io',
          annotations: { 'api-approved.kubernetes.io': 'unapproved, x' },
        },
      },
    ],
  ])('%j', (changes, ...errors) => {
    expect(errorsOf(changes)).toEqual(errors)
  })

  it('may have versions that differ, and is told which one is wrong', () => {
    const good = { openAPIV3Schema: { type: 'object' } }
    const bad = { openAPIV3Schema: { type: 'object', properties: { a: {} } } }
    const version = { served: true, storage: false }

    const errors = errorsOf({
      spec: {
        versions: [
          { ...version, name: 'v1', storage: true, schema: good },
          { ...version, name: 'v2', schema: bad },
        ],
      },
    })

    expect(errors).toEqual([
      'spec.versions[1].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
    ])
  })

  it('can say only some things at the root beside a status', () => {
    const [error] = errorsOf({
      version: { subresources: { status: {} } },
      schema: { minProperties: 1 },
    })

    expect(error).toMatch(
      /^spec\.validation\.openAPIV3Schema: Invalid value: \{"ID":"","Schema":""/,
    )
    expect(error).toMatch(
      /only \[Description Type .* XValidations\] fields are allowed at the root/,
    )
  })

  it('does not ask for a conversion webhook, which there is not here', () => {
    expect(errorsOf({ spec: { conversion: { strategy: 'Webhook' } } })).toHaveLength(1)
  })
})

describe('the writer of a CRD', () => {
  it('is warned of formats that mean nothing, once', () => {
    const odd = (format: string): Fields => crdOf({ a: { type: 'string', format } })

    expect(atOnce(definitionWarnings(odd('foo'), undefined))).toEqual(['unrecognized format "foo"'])
    expect(atOnce(definitionWarnings(odd('foo'), odd('foo')))).toEqual([])
    expect(atOnce(definitionWarnings(odd('date-time'), undefined))).toEqual([])
    expect(
      atOnce(definitionWarnings(crdOf({ a: { type: 'integer', format: 'date' } }), undefined)),
    ).toEqual(['unrecognized format "date"'])
  })
})

describe('a CRD that is changed', () => {
  const established = {
    conditions: [{ type: 'Established', status: 'True' }],
    storedVersions: ['v1'],
  }

  it('keeps what its objects are kept by', () => {
    const old = { ...crdOf({}), status: established }
    const next = crdOf({ spec: { scope: 'Cluster', names: { plural: 'ds', kind: 'D' } } })
    prepareChangedDefinition(next, old)

    expect(
      atOnce(validateDefinition(next, old)).map(({ field, message }) => `${field}: ${message}`),
    ).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "D": field is immutable',
      'spec.names.plural: Invalid value: "ds": field is immutable',
    ])
  })

  it('remembers every version that was stored, and cannot drop one', () => {
    const old = { ...crdOf({}), status: established }
    const next = crdOf({ version: { name: 'v2' } })
    prepareChangedDefinition(next, old)

    expect(next.status).toMatchObject({ storedVersions: ['v1', 'v2'] })
    expect(atOnce(validateDefinition(next, old)).map(({ field }) => field)).toEqual([
      'status.storedVersions[0]',
    ])
  })
})
