import { expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'
import { type LegacyContext, validateLegacy } from './validate-legacy.ts'

const METAL: LegacyContext = { mode: 'metal', strict: false, installed: false, minor: 13 }

const machine: ValueMap = {
  type: 'controlplane',
  ca: { crt: 'QQ==', key: 'QQ==' },
  install: { disk: '/dev/sda' },
}
const cluster: ValueMap = { controlPlane: { endpoint: 'https://a.example:6443' } }

function judged(fields: ValueMap, context: Partial<LegacyContext> = {}) {
  const kind = documentKind('')
  if (!kind) throw new Error('there is no legacy document')
  return validateLegacy({ kind, fields }, { ...METAL, ...context })
}

test('a small configuration is good', () => {
  expect(judged({ machine, cluster })).toEqual({ warnings: [], errors: [] })
})

test('there is a machine', () => {
  expect(judged({ cluster }, { strict: true })).toEqual({
    warnings: [],
    errors: ['machine instructions are required'],
  })
})

test('a disk is for machines that Talos is yet to be installed on', () => {
  const fields = { machine: { ...machine, install: {} }, cluster }
  expect(judged(fields).errors).toEqual(['either install disk or diskSelector should be defined'])
  expect(judged(fields, { installed: true }).errors).toEqual([])
  expect(judged(fields, { mode: 'cloud' }).errors).toEqual([])
})

test('from v1.14 on, other documents may say where to install and how to resolve names', () => {
  const { install: _, ...bare } = machine
  expect(judged({ machine: bare, cluster }, { minor: 14 }).errors).toEqual([])
  expect(judged({ machine, cluster }, { minor: 14, mode: 'container' }).errors).toEqual([])
  expect(judged({ machine: { ...machine, install: {} }, cluster }, { minor: 14 }).errors).toEqual([
    'either install disk or diskSelector should be defined',
  ])
})

test('v1.14 warns of what has a document of its own', () => {
  const files = [{ path: '/etc/a' }]
  const old = { ...machine, files, baseRuntimeSpecOverrides: { process: {} } }
  expect(judged({ machine: old, cluster }).warnings).toEqual([])
  expect(judged({ machine: old, cluster }, { minor: 14 }).warnings).toEqual([
    '.machine.files is deprecated; use dedicated configuration documents instead',
    '.machine.baseRuntimeSpecOverrides is deprecated; use a CRIBaseRuntimeSpecConfig document instead',
  ])
})

test('a container needs the resolver of its host', () => {
  expect(judged({ machine, cluster }, { mode: 'container' }).errors).toHaveLength(2)
})

test('strictly, warnings are errors, and come last', () => {
  const fields = { persist: false, machine: { ...machine, type: 'join' }, cluster }
  const errors = [
    'issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)',
    '.persist should be enabled',
  ]
  const warning = 'use "worker" instead of "join" for machine type'
  expect(judged(fields)).toEqual({ warnings: [warning], errors })
  expect(judged(fields, { strict: true })).toEqual({
    warnings: [],
    errors: [...errors, `warning: ${warning}`],
  })
})

test('an unknown type is refused', () => {
  const fields = { machine: { ...machine, type: 'master' }, cluster }
  expect(judged(fields).errors).toEqual(['unknown machine type "master"'])
})

test('everything is said, in the order of Talos', () => {
  const wrong: ValueMap = {
    type: 'init',
    install: { disk: 'a', extensions: [{ image: 'a' }, { image: 'a' }] },
    network: { interfaces: [{ interface: 'eth0', cidr: 'x' }], kubespan: { enabled: true } },
    disks: [null],
    kubelet: { extraConfig: { kind: 'x' } },
    systemDiskEncryption: { state: {} },
    logging: { destinations: [{ format: 'json_lines' }] },
    nodeLabels: { '': '' },
    features: { nodeAddressSortAlgorithm: 'v3' },
    baseRuntimeSpecOverrides: { hostname: 5 },
    registries: { mirrors: { a: null } },
  }
  const cni = { network: { cni: { name: 'custom' } } }
  const { warnings, errors } = judged({ persist: false, machine: wrong, cluster: cni })
  expect(warnings.map((text) => text.split(' ', 1)[0])).toEqual([
    '"urls"',
    '"eth0":',
    '.machine.install.extensions',
  ])
  expect(errors.map((text) => text.slice(0, 21))).toEqual([
    'cluster controlplane ',
    'issuing CA or some ac',
    'issuing CA is require',
    '[networking.os.device',
    'machine.disks[0] is n',
    'kubelet configuration',
    'partition "STATE": no',
    '.cluster.discovery sh',
    '.cluster.id should be',
    '.cluster.secret shoul',
    'empty logging endpoin',
    'duplicate system exte',
    'invalid machine node ',
    'invalid node address ',
    '.persist should be en',
    'failed to unmarshal b',
    'registries.mirrors["a',
  ])
})
