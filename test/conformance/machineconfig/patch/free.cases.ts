import { type PatchCase, patching } from './patch-case.ts'

const free = (value: string): string => `machine: {kubelet: {extraConfig: ${value}}}`

/** Objects without a type. */
export const freeCases: readonly PatchCase[] = [
  patching('keys are added', free('{a: 1}'), free('{b: 2}')),
  patching('texts are replaced', free('{a: x}'), free('{a: y}')),
  patching('an empty text changes nothing', free('{a: x}'), free('{a: ""}')),
  patching('zero changes nothing', free('{a: 5}'), free('{a: 0}')),
  patching('numbers are replaced', free('{a: 5}'), free('{a: 6}')),
  patching('false replaces', free('{a: true}'), free('{a: false}')),
  patching('fractions are replaced', free('{a: 0.5}'), free('{a: 1.5}')),
  patching('lists are appended', free('{a: [1, x]}'), free('{a: [{y: z}]}')),
  patching('an empty list changes nothing', free('{a: [1]}'), free('{a: []}')),
  patching('an empty list is set', free('{a: 1}'), free('{b: [], c: {}}')),
  patching(
    'objects are merged, deep down',
    free('{a: {b: {c: 1, d: [2]}}}'),
    free('{a: {b: {c: 3, d: [4], e: x}}}'),
  ),
  patching('an empty object changes nothing', free('{a: {b: 1}}'), free('{a: {}}')),
  patching('an empty whole changes nothing', free('{a: 1}'), free('{}')),
  patching('a null whole changes nothing', free('{a: 1}'), free('null')),
  patching('a whole is set where there was none', 'machine: {type: worker}', free('{a: {b: 1}}')),
  patching('null in place is replaced', free('{a: null}'), free('{a: {b: 1}}')),
  patching('null is set where there was nothing', free('{a: 1}'), free('{b: null}')),
  patching('null over a value crashes talosctl', free('{a: 1}'), free('{a: null}')),
  patching('a number over a text is refused', free('{a: x}'), free('{a: 1}')),
  patching('a text over a number is refused', free('{a: 1}'), free('{a: "1"}')),
  patching('an object over a list is refused', free('{a: [1]}'), free('{a: {b: 1}}')),
  patching('a list over an object is refused', free('{a: {b: 1}}'), free('{a: [1]}')),
  patching('a fraction over an integer is refused', free('{a: 1}'), free('{a: 1.5}')),
  patching(
    'a text over a boolean is refused, deep down',
    free('{a: {b: true}}'),
    free('{a: {b: x}}'),
  ),
  patching(
    'texts over several lines are merged',
    free('{a: x}'),
    'machine:\n  kubelet:\n    extraConfig:\n      a: |\n        one\n        two\n',
  ),
  patching('keys are sorted as people do', free('{a10: 1, a2: 2}'), free('{a1: 3, B: 4, _: 5}')),
  patching(
    'other objects without a type are merged: the scheduler',
    'cluster: {scheduler: {config: {profiles: [{a: b}]}}}',
    'cluster: {scheduler: {config: {profiles: [{c: d}]}}}',
  ),
  patching(
    'resources of a component are merged',
    'cluster: {apiServer: {resources: {requests: {cpu: 200m}, limits: {memory: 1Gi}}}}',
    'cluster: {apiServer: {resources: {requests: {memory: 512Mi}, limits: {memory: 2Gi}}}}',
  ),
  patching(
    'seccomp profiles are appended',
    'machine: {seccompProfiles: [{name: a.json, value: {defaultAction: A}}]}',
    'machine: {seccompProfiles: [{name: a.json, value: {defaultAction: B}}]}',
  ),
  patching(
    'the runtime spec is merged',
    'machine: {baseRuntimeSpecOverrides: {process: {rlimits: [{type: A, hard: 1024}]}}}',
    'machine: {baseRuntimeSpecOverrides: {process: {rlimits: [{type: B, hard: 1}], x: y}}}',
  ),
]
