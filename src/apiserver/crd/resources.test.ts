import { describe, expect, it } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import type { Behaviour, Resource, WriteContext } from '#apiserver/resource.ts'
import { atOnce } from '#apiserver/steps.ts'
import { deprecationWarning, resourcesOf } from './resources.ts'
import { NO_REPLICAS, scaleOf, setReplicas } from './scale.ts'

const spec = {
  a: { type: 'string', default: 'x' },
  n: { type: 'integer' },
  old: { type: 'string' },
}
const schemaOf = (properties: Fields): Fields => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties,
        'x-kubernetes-validations': [
          { rule: '!has(self.n) || self.n != 7', message: 'no seven' },
          { rule: 'self.?old == oldSelf.?old', message: 'is for good' },
        ],
      },
      status: {
        type: 'object',
        properties: { phase: { type: 'string' }, replicas: { type: 'integer' } },
      },
    },
  },
})
const paths = {
  specReplicasPath: '.spec.n',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.phase',
}
const { old: _, ...newer } = spec
const names = { plural: 'cs', singular: 'c', kind: 'C', listKind: 'CList', shortNames: ['x'] }
const crd: Fields = {
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names,
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: schemaOf(spec),
        subresources: { status: {}, scale: paths },
        selectableFields: [{ jsonPath: '.spec.n' }],
      },
      { name: 'v2', served: true, storage: false, schema: schemaOf(newer) },
      { name: 'v3', served: false, storage: false, schema: schemaOf(newer) },
      { name: 'v1beta1', served: true, storage: false, deprecated: true, schema: schemaOf(spec) },
    ],
  },
  status: { acceptedNames: names, conditions: [{ type: 'Established', status: 'True' }] },
}

function resource(version: string): Resource {
  const found = resourcesOf(crd).find((one) => one.version === version)
  if (!found) throw new Error('not served')
  return found
}

const context = (subresource?: string) => ({
  user: { name: 'me', groups: [] },
  now: '2026-01-01T00:00:00Z',
  dryRun: false,
  warn: () => undefined,
  ...(subresource && { subresource }),
})
const object = (rest: Fields): Fields => ({
  apiVersion: 'example.com/v1',
  kind: 'C',
  metadata: { name: 'x', resourceVersion: '1' },
  ...rest,
})

describe('a CRD', () => {
  it('is served in its versions once it is established', () => {
    expect(resourcesOf({ ...crd, status: {} })).toEqual([])
    expect(resourcesOf(crd).map(({ version }) => version)).toEqual(['v1', 'v2', 'v1beta1'])
    expect(resource('v1')).toMatchObject({
      ...names,
      group: 'example.com',
      namespaced: true,
      isCustom: true,
      stored: { group: 'example.com', plural: 'cs', version: 'v1' },
      verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
      subresources: [
        { name: 'status', kind: 'C', group: 'example.com', version: 'v1' },
        { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1' },
      ],
    })
  })

  it('is converted by its version alone, and loses what the other one does not know', () => {
    const { conversion } = resource('v2')

    expect(resource('v1').conversion).toBeUndefined()
    expect(conversion?.fromStored(object({ spec: { old: 'x', n: 1 } }))).toEqual(
      object({ apiVersion: 'example.com/v2', spec: { a: 'x', n: 1 } }),
    )
    expect(conversion?.toStored(object({ apiVersion: 'example.com/v2' }))).toEqual(object({}))
  })

  it('warns of a version that is deprecated, and names the newest instead', () => {
    expect(deprecationWarning(crd, 'v1beta1')).toBe(
      'example.com/v1beta1 C is deprecated; use example.com/v2 C',
    )
    expect(deprecationWarning(crd, 'v1')).toBeUndefined()
  })
})

const errorsOf = ({ check }: Behaviour, ...change: [Fields, Fields | undefined, WriteContext]) =>
  check ? atOnce(check(...change)) : []

describe('an object', () => {
  const { behaviour } = resource('v1')

  it('cannot be created with a status that is a subresource', () => {
    const given = object({ status: { phase: 'x' } })
    behaviour.prepareCreate?.(given, context())
    expect(given).not.toHaveProperty('status')
  })

  it('keeps its status when the rest is changed', () => {
    const given = object({ spec: { n: 2 }, status: { phase: 'new' } })
    behaviour.prepareUpdate?.(given, object({ status: { phase: 'old' } }), context())
    expect(given).toEqual(object({ spec: { n: 2 }, status: { phase: 'old' } }))
  })

  it('keeps all the rest when its status is changed, but for who owns its fields', () => {
    const given = object({
      metadata: { name: 'x', resourceVersion: '1', labels: { a: 'b' }, managedFields: [{}] },
      spec: { n: 2 },
      status: { phase: 'new' },
    })
    behaviour.prepareUpdate?.(given, object({ spec: { n: 1 } }), context('status'))
    expect(given).toEqual(
      object({
        metadata: { name: 'x', resourceVersion: '1', managedFields: [{}] },
        spec: { n: 1 },
        status: { phase: 'new' },
      }),
    )
  })

  it.each<[given: Fields, ...errors: string[]]>([
    [{ kind: 'B' }, 'kind: Invalid value: "B": must be C'],
    [{ spec: { n: 7 } }, 'spec: Invalid value: no seven'],
    [{ spec: { n: -1 } }, '.spec.n: Invalid value: -1: should be a non-negative integer'],
    [
      { spec: { n: 3e9 } },
      '.spec.n: Invalid value: 3000000000: should be less than or equal to 2147483647',
    ],
    [
      { spec: { n: 'x' } },
      'spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"',
      '.spec.n: Invalid value: 0: .spec.n accessor error: x is of the type string, expected int64',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ],
  ])('is refused: %j', (given, ...errors) => {
    const found = errorsOf(behaviour, object(given), undefined, context())

    expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(errors)
  })

  it('is held to rules about changes when it is changed', () => {
    const found = errorsOf(
      behaviour,
      object({ spec: { n: 1, old: 'b' } }),
      object({ spec: { n: 2, old: 'a' } }),
      context(),
    )

    expect(found.map(({ message }) => message)).toEqual(['Invalid value: is for good'])
  })

  it('is judged by its status alone when that is changed', () => {
    const given = object({ spec: { n: 'x' }, status: { replicas: 'x' } })

    const found = errorsOf(behaviour, given, object({ spec: { n: 'x' } }), context('status'))

    expect(found.map(({ field }) => field)).toEqual([
      'status.replicas',
      '.status.replicas',
      '<nil>',
    ])
  })

  it('is warned of finalizers that others could name so', () => {
    const warnings: string[] = []
    const given = object({
      metadata: { name: 'x', finalizers: ['a', 'b.c', 'd.e/f', 'orphan', 'old'] },
    })
    const old = object({ metadata: { name: 'x', finalizers: ['old'] } })

    errorsOf(behaviour, given, old, { ...context(), warn: (text) => warnings.push(text) })

    expect(warnings).toEqual([
      'metadata.finalizers: "a": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "b.c": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
    ])
  })

  it('can be found by the fields that its CRD names', () => {
    const find = behaviour.selectableFields?.['spec.n']

    expect(find?.(object({ spec: { n: 5 } }))).toBe('5')
    expect(find?.(object({}))).toBe('')
  })
})

describe('the scale of an object', () => {
  it('is read and written by the paths of its CRD', () => {
    const given = object({ spec: { n: 3 }, status: { replicas: 2, phase: 'a=b' } })

    expect(scaleOf(given, paths)).toMatchObject({
      scale: {
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'x', resourceVersion: '1' },
        spec: { replicas: 3 },
        status: { replicas: 2, selector: 'a=b' },
      },
    })
    const bare = object({})
    expect(scaleOf(bare, paths)).toMatchObject({
      scale: { spec: { replicas: NO_REPLICAS }, status: { replicas: 0 } },
    })
    setReplicas(bare, paths, 4)
    expect(bare).toEqual(object({ spec: { n: 4 } }))
  })

  it('cannot be read from what is no number', () => {
    expect(scaleOf(object({ spec: { n: 'x' } }), paths).problem).toBe(
      '.spec.n accessor error: x is of the type string, expected int64',
    )
    expect(scaleOf(object({ status: 'x' }), paths).problem).toBe(
      '.status.replicas accessor error: x is of the type string, expected map[string]interface{}',
    )
  })
})
