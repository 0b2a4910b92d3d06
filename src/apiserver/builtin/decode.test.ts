import { expect, test } from 'vitest'
import { ApiFailure } from '#apiserver/failure.ts'
import type { Fields } from '#apiserver/objects.ts'
import { atOnce } from '#apiserver/steps.ts'
import { decodeBuiltin } from './decode.ts'
import { builtinResources } from './resources.ts'
import { schemaOf } from './schemas.ts'

const resources = builtinResources()

function decode(kind: string, given: Fields) {
  const resource = resources.find((one) => one.kind === kind)
  if (!resource) throw new Error(`there is no ${kind}`)
  return atOnce(resource.decode(given))
}

const inContainer = (container: Fields) => ({
  spec: { template: { spec: { containers: [container] } } },
})

// Each sentence is what kube-apiserver v1.36.4 says.
test.each<[Fields, string]>([
  [
    { spec: { replicas: 'x' } },
    'string into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    { spec: { replicas: 1.5 } },
    'number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    { spec: { replicas: 99999999999 } },
    'number 99999999999 into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    { spec: { replicas: true } },
    'bool into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    { spec: { replicas: {} } },
    'object into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    { spec: { replicas: [] } },
    'array into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [{ spec: 'x' }, 'string into Go struct field Deployment.spec of type v1.DeploymentSpec'],
  [{ metadata: 'x' }, 'string into Go struct field Deployment.metadata of type v1.ObjectMeta'],
  [
    { metadata: { name: 5 } },
    'number into Go struct field ObjectMeta.metadata.name of type string',
  ],
  [
    { metadata: { labels: { a: 5 } } },
    'number into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [
    { metadata: { labels: [] } },
    'array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
  ],
  [
    { metadata: { finalizers: {} } },
    'object into Go struct field ObjectMeta.metadata.finalizers of type []string',
  ],
  [
    { metadata: { finalizers: [1] } },
    'number into Go struct field ObjectMeta.metadata.finalizers of type string',
  ],
  [
    { metadata: { creationTimestamp: 5 } },
    'number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
  ],
  [
    { spec: { template: { spec: { containers: {} } } } },
    'object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container',
  ],
  [
    { spec: { template: { spec: { containers: [5] } } } },
    'number into Go struct field PodSpec.spec.template.spec.containers of type v1.Container',
  ],
  [
    inContainer({ env: [{ name: 'a' }], name: 5 }),
    'number into Go struct field Container.spec.template.spec.containers.name of type string',
  ],
  [
    { spec: { template: { spec: { restartPolicy: 5 } } } },
    'number into Go struct field PodSpec.spec.template.spec.restartPolicy of type v1.RestartPolicy',
  ],
  [
    inContainer({ livenessProbe: { httpGet: { port: true } } }),
    'bool into Go struct field HTTPGetAction.spec.template.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32',
  ],
])('%j is refused: cannot unmarshal %s', (given, why) => {
  expect(() => decode('Deployment', given)).toThrow(
    `Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal ${why}`,
  )
})

test.each<[string, Fields, string]>([
  ['Deployment', { metadata: { creationTimestamp: 'x' } }, 'parsing time "x" as'],
  ['Deployment', inContainer({ resources: { limits: { cpu: true } } }), 'quantities must match'],
  ['ConfigMap', { binaryData: { a: '###' } }, 'illegal base64 data at input byte 0'],
  [
    'CustomResourceDefinition',
    jsonSchema({ additionalProperties: 5 }),
    'boolean or JSON schema expected',
  ],
])('a %s with a text that cannot be read is refused', (kind, given, why) => {
  expect(() => decode(kind, given)).toThrow(
    `${kind} in version "v1" cannot be handled as a ${kind}: ${why}`,
  )
})

test('what is refused is a bad request', () => {
  const refused = expect(() => decode('ConfigMap', { data: 'a' }))

  refused.toThrow(ApiFailure)
  refused.toThrow(expect.objectContaining({ code: 400, reason: 'BadRequest' }))
})

// As kube-apiserver v1.36.4 says it.
test.each<[Fields, string]>([
  [
    { kind: 'Foo' },
    'Foo in version "v1" cannot be handled as a Deployment: no kind "Foo" is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    { kind: 'DaemonSet' },
    'DaemonSet in version "v1" cannot be handled as a Deployment: converting (v1.DaemonSet) to (apps.Deployment): unknown conversion',
  ],
  [
    { apiVersion: 'v1', kind: 'Deployment' },
    'Deployment in version "v1" cannot be handled as a Deployment: no kind "Deployment" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    { apiVersion: 'apps/v1beta1' },
    'the API version in the data (apps/v1beta1) does not match the expected API version (apps/v1)',
  ],
  [
    { apiVersion: 'a/b/c' },
    'the object provided is unrecognized (must be of type Deployment): unexpected GroupVersion string: a/b/c',
  ],
])('an object of another kind is refused: %j', (given, message) => {
  expect(() => decode('Deployment', given)).toThrow(message)
})

test('kind and version are filled in, and what Go always writes is there', () => {
  expect(decode('Deployment', { metadata: { name: 'a' } }).object).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: {
      selector: null,
      strategy: {},
      template: { metadata: {}, spec: { containers: null } },
    },
    status: {},
  })
})

test('nulls and what Go takes for empty go; what differs from absent stays', () => {
  const pod = decode('Pod', {
    metadata: { labels: {}, finalizers: [], annotations: null, name: 'a', generateName: '' },
    spec: {
      hostNetwork: false,
      priority: 0,
      nodeSelector: {},
      enableServiceLinks: false,
      securityContext: {},
      containers: [{ name: 'a', args: [], command: [''], stdin: false, image: null }],
    },
  })

  expect(pod.object).toMatchObject({ metadata: { name: 'a' } })
  expect(pod.object.metadata).toEqual({ name: 'a' })
  expect(pod.object.spec).toEqual({
    priority: 0,
    enableServiceLinks: false,
    securityContext: {},
    containers: [{ name: 'a', command: [''], resources: {} }],
  })
})

test('in maps and lists null is the zero of what they hold', () => {
  expect(decode('ConfigMap', { data: { a: null } }).object.data).toEqual({ a: '' })
  expect(decode('ConfigMap', { metadata: { finalizers: [null] } }).object.metadata).toEqual({
    finalizers: [''],
  })
  expect(decode('ResourceQuota', { spec: { hard: { cpu: null } } }).object.spec).toEqual({
    hard: { cpu: '0' },
  })
})

test('times that are not set are null where Go has them in place', () => {
  const { object } = decode('Pod', { status: { conditions: [{ type: 'Ready', status: 'True' }] } })

  expect(object.status).toEqual({
    conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null }],
  })
})

test('quantities, times and bytes become canonical', () => {
  expect(
    decode('ResourceQuota', { spec: { hard: { cpu: '1000m', memory: 5 } } }).object.spec,
  ).toEqual({
    hard: { cpu: '1', memory: '5' },
  })
  expect(decode('Secret', { data: { a: 'aGk\n=' } }).object.data).toEqual({ a: 'aGk=' })
})

test('unknown fields go, and are told with their paths in order', () => {
  const { object, unknown } = decode('Deployment', {
    metadata: { name: 'a', foo: 1 },
    Spec: {},
    ...inContainer({ name: 'a', foo: 1, ports: [{ containerPort: 1, x: { y: 1 } }] }),
  })

  expect(unknown).toEqual([
    'metadata.foo',
    'Spec',
    'spec.template.spec.containers[0].foo',
    'spec.template.spec.containers[0].ports[0].x',
  ])
  expect(object.metadata).toEqual({ name: 'a' })
})

test('a schema in a CRD is read all the way down, in silence below what may be something else', () => {
  const { object, unknown } = decode(
    'CustomResourceDefinition',
    jsonSchema({
      foo: 1,
      properties: { a: { type: 'object', bar: 1 } },
      additionalProperties: { type: 'string', foo: 1 },
      items: [{ type: 'string', foo: 1 }],
      default: { kept: null },
    }),
  )

  const at = 'spec.versions[0].schema.openAPIV3Schema'
  expect(unknown).toEqual([`${at}.foo`, `${at}.properties.a.bar`])
  expect(object).toMatchObject(
    jsonSchema({
      properties: { a: { type: 'object' } },
      additionalProperties: { type: 'string' },
      items: [{ type: 'string' }],
      default: { kept: null },
    }),
  )
  expect(JSON.stringify(object)).not.toContain('foo')
})

test('no more than a hundred unknown fields are told', () => {
  const given = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`x${at}`, 1]))

  expect(decode('ConfigMap', given).unknown).toHaveLength(100)
})

test('the given object is left as it is', () => {
  const given = { data: { a: null }, foo: 1, metadata: { labels: {} } }
  const before = structuredClone(given)

  decode('ConfigMap', given)

  expect(given).toEqual(before)
})

test('only the schemas of built-in types can be decoded by', () => {
  const expected = { group: '', version: 'v1', kind: 'X' }

  expect(() => decodeBuiltin({}, { ...expected, schema: {} })).toThrow(
    'not the schema of a built-in',
  )
  const schema = schemaOf('io.k8s.api.autoscaling.v1.Scale')
  expect(decodeBuiltin({ spec: { replicas: 2 } }, { ...expected, schema }).object.spec).toEqual({
    replicas: 2,
  })
})

function jsonSchema(openAPIV3Schema: Fields): Fields {
  return { spec: { versions: [{ schema: { openAPIV3Schema } }] } }
}

test('an empty list of owners is not lost, for it asks to forget them', () => {
  const given = (managedFields: unknown) => ({ metadata: { name: 'a', managedFields } })

  expect(decode('ConfigMap', given([])).object.metadata).toEqual({ name: 'a', managedFields: [] })
  expect(decode('ConfigMap', given(null)).object.metadata).toEqual({ name: 'a' })
})

test('bytes of a map that are null are empty', () => {
  expect(decode('ConfigMap', { binaryData: { a: null } }).object.binaryData).toEqual({ a: '' })
})
