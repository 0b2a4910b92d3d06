import { describe, expect, test } from 'vitest'
import { rootSchema } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import type { Kind } from '#api/meta.ts'
import type { StructuralSchema } from '#api/schema.ts'
import { fieldsOf } from '#scripts/generate/fields.ts'

// What is written here is what users, dashboards and older objects rely on. It is literal on
// purpose: a field that goes, or changes its type, has to go here as well.

const STANDARD = {
  observedGeneration: 'integer int64, >= 0',
  conditions: 'object[] by type',
  'conditions[].type': 'string, <= 316 long, required',
  'conditions[].status': 'True | False | Unknown, required',
  'conditions[].observedGeneration': 'integer int64, >= 0',
  'conditions[].lastTransitionTime': 'string date-time, required',
  'conditions[].reason': 'string, >= 1 long, <= 1024 long, required',
  'conditions[].message': 'string, <= 32768 long, required',
}

const FIELDS: Record<string, Record<string, string>> = {
  TalosCluster: STANDARD,
  TalosControlPlane: {
    ...STANDARD,
    state: 'string',
    observedKubeVersion: 'string',
    imported: 'boolean',
    config: 'string',
    secretBundle: 'string',
    bundleConfig: 'string',
  },
  TalosWorker: { ...STANDARD, state: 'string', imported: 'boolean', config: 'string' },
  TalosMachine: {
    ...STANDARD,
    state: 'string',
    observedVersion: 'string',
    observedSchematic: 'string',
    uuid: 'string',
    type: 'controlplane | worker',
    hostname: 'string',
    addresses: 'string[]',
    stage: 'string',
    etcdMember: 'object',
    'etcdMember.id': 'string, required',
    'etcdMember.learner': 'boolean, false unless told',
    etcdMembers: 'object[]',
    'etcdMembers[].id': 'string, required',
    'etcdMembers[].name': 'string, required',
    'etcdMembers[].learner': 'boolean, false unless told',
    kubernetes: 'object',
    'kubernetes.apiServer': 'string',
    'kubernetes.controllerManager': 'string',
    'kubernetes.scheduler': 'string',
    'kubernetes.proxy': 'string',
    'kubernetes.kubelet': 'string',
    pending: 'object',
    'pending.work': 'configuration | upgrade | kubernetes, required',
    'pending.needs': 'live | reboot, required',
    imported: 'boolean',
    config: 'string',
  },
  TalosClusterAddon: STANDARD,
  TalosClusterAddonRelease: STANDARD,
  TalosEtcdBackup: { ...STANDARD, filename: 'string', stateFilename: 'string' },
  TalosEtcdBackupSchedule: {
    ...STANDARD,
    lastScheduleTime: 'string date-time',
    lastSuccessfulBackupTime: 'string date-time',
    nextScheduleTime: 'string date-time',
    activeBackups: 'string[]',
  },
  KubernetesCluster: {
    ...STANDARD,
    phase: 'Pending | Provisioning | Running | Failed',
    controlPlaneReady: 'boolean',
    workersReady: 'integer int32',
    machineCount: 'integer int32',
    lastUpdated: 'string date-time',
  },
  Machine: {
    phase: 'string',
    state: 'string',
    message: 'string',
    failureReason: 'string',
    failureMessage: 'string',
    provider: 'string',
    providerID: 'string',
    machineID: 'string',
    region: 'string',
    zone: 'string',
    hostname: 'string',
    architecture: 'string',
    operatingSystem: 'string',
    operatingSystemVersion: 'string',
    kernelVersion: 'string',
    ipAddresses: 'string[]',
    ipv6Addresses: 'string[]',
    publicIPAddresses: 'string[]',
    privateIPAddresses: 'string[]',
    networkInterfaces: 'object[]',
    'networkInterfaces[].name': 'string',
    'networkInterfaces[].macAddress': 'string',
    'networkInterfaces[].ipAddresses': 'string[]',
    'networkInterfaces[].ipv6Addresses': 'string[]',
    'networkInterfaces[].state': 'string',
    'networkInterfaces[].type': 'string',
    'networkInterfaces[].mtu': 'integer',
    cpus: 'integer',
    memory: 'integer int64',
    disks: 'object[]',
    'disks[].name': 'string',
    'disks[].device': 'string',
    'disks[].size': 'integer int64',
    'disks[].type': 'string',
    'disks[].pvcName': 'string',
    'disks[].volumeMode': 'string',
    'disks[].serialNumber': 'string',
    'disks[].uuid': 'string',
    'disks[].accessModes': 'string[]',
    'disks[].filesystemType': 'string',
    'disks[].mountPoint': 'string',
    'disks[].label': 'string',
    'disks[].usedBytes': 'integer int64',
    'disks[].availableBytes': 'integer int64',
    'disks[].usagePercent': 'string',
    bootTime: 'string date-time',
    creationTime: 'string date-time',
    lastUpdated: 'string date-time',
    conditions: 'object[]',
    'conditions[].type': 'string',
    'conditions[].status': 'string',
    'conditions[].reason': 'string',
    'conditions[].message': 'string',
    'conditions[].lastTransitionTime': 'string date-time',
  },
}

const statusFields = (kind: Kind) =>
  fieldsOf('status', rootSchema(kind).properties?.status ?? {}).map((field) => ({
    ...field,
    path: field.path.replace('status.', ''),
  }))

describe.each(kinds)('the status of $kind', (kind) => {
  test('has these fields, of these types', () => {
    const fields = statusFields(kind).map(({ path, schema, required }) => [
      path,
      [typeOf(schema), ...boundsOf(schema), ...(required ? ['required'] : [])].join(', '),
    ])

    expect(Object.fromEntries(fields)).toEqual(FIELDS[kind.kind])
  })
})

function typeOf({ type, format, items, ...schema }: StructuralSchema): string {
  if (schema.enum) return schema.enum.join(' | ')
  if (!items) return [type, format].filter(Boolean).join(' ')
  const keys = schema['x-kubernetes-list-map-keys']
  return [`${typeOf(items)}[]`, ...(keys ? [`by ${keys}`] : [])].join(' ')
}

const boundsOf = (schema: StructuralSchema): string[] =>
  [
    { bound: schema.minimum, says: `>= ${schema.minimum}` },
    { bound: schema.minLength, says: `>= ${schema.minLength} long` },
    { bound: schema.maxLength, says: `<= ${schema.maxLength} long` },
    { bound: schema.default, says: `${schema.default} unless told` },
  ]
    .filter(({ bound }) => bound !== undefined)
    .map(({ says }) => says)

// As published. The schema stays open for other words, so the descriptions hold them.
test.each([
  {
    kind: 'TalosControlPlane',
    field: 'state',
    says: /One of: Pending, Available, Bootstrapped, Ready, UpgradingKubernetes, KubernetesUpgradeFailed\.$/,
  },
  { kind: 'TalosWorker', field: 'state', says: /One of: Pending, Ready\.$/ },
  {
    kind: 'TalosMachine',
    field: 'state',
    says: /One of: Pending, Booting, Installing, Available, Upgrading, Orphaned\.$/,
  },
  {
    kind: 'Machine',
    field: 'phase',
    says: /^Pending, Creating, Running, Stopping, Stopped, Terminating, Terminated or Failed\.$/,
  },
])('$kind says its words for $field', ({ kind: name, field, says }) => {
  const fields = kinds.filter(({ kind }) => kind === name).flatMap(statusFields)

  const found = fields.find(({ path }) => path === field)
  expect(found?.schema).toMatchObject({ type: 'string', description: expect.stringMatching(says) })
  expect(found?.schema).not.toHaveProperty('enum')
})
