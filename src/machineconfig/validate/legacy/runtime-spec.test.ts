import { expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import { runtimeSpecProblems } from './runtime-spec.ts'

const judged = (baseRuntimeSpecOverrides: ValueMap): string[] => [
  ...runtimeSpecProblems({ baseRuntimeSpecOverrides }),
]

test.for<ValueMap>([
  {},
  { process: { rlimits: [{ type: 'RLIMIT_NOFILE', hard: 1024, soft: 0 }], terminal: true } },
  { unknown: { a: 1 }, process: null, constructor: 1 },
  { windows: { credentialSpec: 5 }, linux: { sysctl: { a: 'b' }, seccomp: { flags: [null] } } },
  { process: { scheduler: { nice: -2147483648 }, user: { uid: 4294967295 } } },
])('%j is part of a specification', (overrides) => {
  expect(judged(overrides)).toEqual([])
})

test('nothing is overridden', () => {
  expect([...runtimeSpecProblems({})]).toEqual([])
})

test.for<[ValueMap, string]>([
  [
    { PROCESS: { terminal: 'x' } },
    'string into Go struct field Process.process.terminal of type bool',
  ],
  [{ process: [1] }, 'array into Go struct field Spec.process of type specs.Process'],
  [{ hostname: {} }, 'object into Go struct field Spec.hostname of type string'],
  [{ hostname: true }, 'bool into Go struct field Spec.hostname of type string'],
  [{ ociVersion: 5, hostname: 5 }, 'number into Go struct field Spec.hostname of type string'],
  [
    { process: { rlimits: [{ hard: -1 }] } },
    'number -1 into Go struct field POSIXRlimit.process.rlimits.hard of type uint64',
  ],
  [
    { process: { oomScoreAdj: 1.5 } },
    'number 1.5 into Go struct field Process.process.oomScoreAdj of type int',
  ],
  [
    { process: { user: { uid: 4294967296 } } },
    'number 4294967296 into Go struct field User.process.user.uid of type uint32',
  ],
  [
    { process: { scheduler: { nice: 2147483648 } } },
    'number 2147483648 into Go struct field Scheduler.process.scheduler.nice of type int32',
  ],
  [{ annotations: { a: 5 } }, 'number into Go struct field Spec.annotations of type string'],
  [
    { linux: { sysctl: [] } },
    'array into Go struct field Linux.linux.sysctl of type map[string]string',
  ],
  [
    { linux: { timeOffsets: { a: 4 } } },
    'number into Go struct field Linux.linux.timeOffsets of type specs.LinuxTimeOffset',
  ],
  [
    { linux: { memoryPolicy: { flags: {} } } },
    'object into Go struct field LinuxMemoryPolicy.linux.memoryPolicy.flags of type []specs.MemoryPolicyFlagType',
  ],
  [
    { linux: { devices: [{ fileMode: 'x' }] } },
    'string into Go struct field LinuxDevice.linux.devices.fileMode of type fs.FileMode',
  ],
])('%j is no part of a specification', ([overrides, problem]) => {
  expect(judged(overrides)).toEqual([
    `failed to unmarshal base runtime spec overrides: json: cannot unmarshal ${problem}`,
  ])
})

test.for([
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [Number.NaN, 'NaN'],
] as const)('JSON has no %d', ([number, shown]) => {
  expect(judged({ a: 1, process: { x: [1, number] }, z: 1 })).toEqual([
    `failed to marshal base runtime spec overrides: json: unsupported value: ${shown}`,
  ])
})
