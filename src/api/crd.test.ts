import { describe, expect, test } from 'vitest'
import { rootSchema, toCrd } from './crd.ts'
import { kinds } from './kinds.ts'
import { KubernetesCluster } from './kubernetes-cluster.ts'
import { ProvidedMachine } from './provided-machine.ts'
import type { StructuralSchema } from './schema.ts'

/** Every node of a schema with its path. */
function nodes(schema: StructuralSchema, path: string): [string, StructuralSchema][] {
  const fields = Object.entries(schema.properties ?? {})
  return [
    [path, schema],
    ...fields.flatMap(([name, field]) => nodes(field, `${path}.${name}`)),
    ...(schema.items ? nodes(schema.items, `${path}[]`) : []),
  ]
}

const nodesOf = (kind: (typeof kinds)[number], part: 'spec' | 'status') =>
  nodes(rootSchema(kind).properties?.[part] ?? {}, part)

const AGE = ['Age', 'date', '.metadata.creationTimestamp']

// As published, except that TalosCluster has columns.
const COLUMNS: Record<string, string[][]> = {
  TalosCluster: [['Ready', 'string', '.status.conditions[?(@.type=="Ready")].status'], AGE],
  TalosControlPlane: [
    ['State', 'string', '.status.state'],
    ['Version', 'string', '.spec.version'],
    ['KubeVersion', 'string', '.spec.kubeVersion'],
    ['Mode', 'string', '.spec.mode'],
    AGE,
  ],
  TalosWorker: [
    ['State', 'string', '.status.state'],
    ['Version', 'string', '.spec.version'],
    ['Mode', 'string', '.spec.mode'],
    AGE,
  ],
  TalosMachine: [
    ['State', 'string', '.status.state'],
    ['Version', 'string', '.spec.version'],
    ['Endpoint', 'string', '.spec.endpoint'],
    AGE,
  ],
  TalosClusterAddon: [
    ['Chart', 'string', '.spec.helmSpec.chartName'],
    ['Version', 'string', '.spec.helmSpec.version'],
    AGE,
  ],
  TalosClusterAddonRelease: [
    ['Cluster', 'string', '.spec.clusterRef.name'],
    ['Chart', 'string', '.spec.helmSpec.chartName'],
    AGE,
  ],
  TalosEtcdBackup: [['Filename', 'string', '.status.filename'], AGE],
  TalosEtcdBackupSchedule: [
    ['Schedule', 'string', '.spec.schedule'],
    ['Last Backup', 'date', '.status.lastSuccessfulBackupTime'],
    ['Next Backup', 'string', '.status.nextScheduleTime'],
    ['Paused', 'boolean', '.spec.paused'],
  ],
  KubernetesCluster: [
    ['Phase', 'string', '.status.phase'],
    ['Kubernetes', 'string', '.spec.kubernetesVersion'],
    ['Talos', 'string', '.spec.talosVersion'],
    ['Machines', 'integer', '.status.machineCount'],
    AGE,
  ],
  Machine: [
    ['Phase', 'string', '.status.phase'],
    ['State', 'string', '.status.state'],
    ['Public IPs', 'string', '.status.publicIPAddresses'],
    ['Provider', 'string', '.spec.provider'],
    ['Machine Class', 'string', '.spec.machineClass'],
    AGE,
  ],
}

test('the ten kinds, with the names that users know', () => {
  expect(kinds.map(({ group, kind, shortNames }) => `${group} ${kind} ${shortNames}`)).toEqual([
    'talos.alperen.cloud TalosCluster tc',
    'talos.alperen.cloud TalosControlPlane tcp',
    'talos.alperen.cloud TalosWorker tw',
    'talos.alperen.cloud TalosMachine tm',
    'talos.alperen.cloud TalosClusterAddon tca',
    'talos.alperen.cloud TalosClusterAddonRelease tcar',
    'talos.alperen.cloud TalosEtcdBackup teb',
    'talos.alperen.cloud TalosEtcdBackupSchedule tebs',
    'vitistack.io KubernetesCluster kc',
    'vitistack.io Machine m',
  ])
})

describe.each(kinds)('$kind', (kind) => {
  test('kubectl get has these columns, all of them without -o wide', () => {
    const columns = toCrd(kind).spec.versions.flatMap(
      ({ additionalPrinterColumns }) => additionalPrinterColumns,
    )

    expect(columns.map(({ name, type, jsonPath }) => [name, type, jsonPath])).toEqual(
      COLUMNS[kind.kind],
    )
    expect(columns.filter(({ priority = 0 }) => priority > 0)).toEqual([])
  })

  test('every field can be explained', () => {
    const all = [...nodesOf(kind, 'spec'), ...nodesOf(kind, 'status')]

    expect(all.filter(([, { description }]) => !description).map(([path]) => path)).toEqual([])
    expect(all.length).toBeGreaterThan(2)
  })

  test('every field has a type that a CRD can hold', () => {
    const untyped = nodesOf(kind, 'spec').filter(
      ([, { type, ...rest }]) => !type && !rest['x-kubernetes-int-or-string'],
    )

    expect(untyped.map(([path]) => path)).toEqual([])
  })

  test('a field with a default is not demanded of the user', () => {
    const demanded = nodesOf(kind, 'spec').flatMap(([path, { required, properties }]) =>
      (required ?? [])
        .filter((name) => properties?.[name]?.default !== undefined)
        .map((name) => `${path}.${name}`),
    )

    expect(demanded).toEqual([])
  })

  test('status has standard conditions, a subresource of its own, and one Ready', () => {
    const { versions } = toCrd(kind).spec

    expect(versions[0]?.subresources).toEqual({ status: {} })
    expect(rootSchema(kind).properties?.status?.properties).toHaveProperty('conditions')
    expect(kind.conditions).toHaveProperty('Ready')
  })

  test('the CRD is plain data that survives being written as JSON', () => {
    const crd = toCrd(kind)

    expect(JSON.parse(JSON.stringify(crd))).toEqual(crd)
  })
})

test('KubernetesCluster refuses nothing but wrong types: the rest becomes a condition', () => {
  const rules = nodesOf(KubernetesCluster, 'spec').flatMap(([path, schema]) =>
    Object.keys(schema)
      .filter((keyword) => !/^(type|description|properties|items|format|nullable)$/.test(keyword))
      .filter((keyword) => !/^(additionalProperties|x-kubernetes-(list|preserve).*)$/.test(keyword))
      .map((keyword) => `${path}: ${keyword}`),
  )

  expect(rules).toEqual([])
})

test('what a provider adds of its own is kept at every level', () => {
  const closed = [
    ...nodesOf(ProvidedMachine, 'spec'),
    ...nodesOf(ProvidedMachine, 'status'),
  ].filter(([, schema]) => schema.properties && !schema['x-kubernetes-preserve-unknown-fields'])

  expect(closed.map(([path]) => path)).toEqual([])
})
