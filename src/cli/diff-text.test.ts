import { expect, test } from 'vitest'
import {
  type AddedMachine,
  type ChangedMachine,
  exitCodeFor,
  type MachineDiff,
  type ObjectDiff,
  type RemovedMachine,
  type Report,
} from './diff-report.ts'
import { diffJson, diffText } from './diff-text.ts'

const of = { name: 'one-a', address: '192.0.2.1' }
const added: AddedMachine = {
  ...{ ...of, do: 'add', role: 'worker', version: 'v1.13.0', disk: '/dev/sda' },
}
const changed: ChangedMachine = {
  ...{ ...of, do: 'change', effort: 'live', changes: [], comparedWith: 'machine' },
  isMetaWritten: false,
}
const ofNetwork = {
  ...{ document: 'v1alpha1', path: 'machine.network.hostname', before: 'a', after: 'b' },
  ...{ isHidden: false, effort: 'live' as const },
}
const removed: RemovedMachine = {
  ...{ ...of, do: 'remove', fate: 'wiped', isMember: false, isAnswering: true },
}
const object = (over: Partial<ObjectDiff> = {}): ObjectDiff => ({
  ...{ kind: 'TalosWorker', namespace: 'default', name: 'one', cluster: 'one' },
  ...{ change: 'none', fields: [], notes: [], machines: [], ...over },
})
const report = (...objects: ObjectDiff[]): Report => ({ objects, refused: [], notLookedAt: [] })
const textOf = (...machines: MachineDiff[]): string => diffText(report(object({ machines })))

test.each<[MachineDiff, string]>([
  [added, 'is added as a worker: Talos v1.13.0 is installed on /dev/sda'],
  [changed, 'is changed as it runs'],
  [{ ...changed, effort: 'install' }, 'is not installed yet, and will be with another'],
  [{ ...changed, changes: [ofNetwork] }, 'it is given for a try, because it is of the network'],
  [{ ...changed, isMetaWritten: true }, 'its network settings are written to META'],
  [
    { ...changed, effort: 'upgrade', upgrade: { from: 'v1.12.4', to: 'v1.13.0' } },
    'gets Talos v1.13.0 instead of v1.12.4, and reboots',
  ],
  [
    { ...changed, effort: 'upgrade', upgrade: { from: 'v1.13.0', to: 'v1.13.0', schematic: 'a' } },
    'gets Talos v1.13.0 of the schematic a, and reboots',
  ],
  [removed, 'is removed: its node is drained, the machine is wiped, its node is deleted'],
  [{ ...removed, isMember: true }, 'is drained, it leaves etcd, the machine is wiped'],
  [{ ...removed, isAnswering: false }, 'it does not answer, so its node is deleted'],
  [
    { ...removed, isAnswering: false, isMember: true },
    'so its member is taken out of etcd through another machine, its node',
  ],
  [{ ...removed, fate: 'kept' }, 'so the machine runs on as it is\n'],
  [{ ...removed, fate: 'kept', isMember: true }, 'as it is, and stays a member of etcd\n'],
  [{ ...removed, fate: 'never configured' }, 'only its object goes'],
  [
    { ...removed, problem: { reason: 'Why', message: 'b' } },
    'stays as it is, though it should not: Why: b',
  ],
])('%j is told', (machine, words) => {
  expect(textOf(machine)).toContain(words)
})

test('machines are counted through a cluster, and anew in the next', () => {
  const text = diffText(
    report(
      object({ machines: [added, added], change: 'created' }),
      object({ name: 'two', machines: [changed, removed], atOnce: 2 }),
      object({ cluster: 'other', machines: [removed], atOnce: 1 }),
    ),
  )

  expect(text.match(/^ {2}\d\./gm)).toEqual(['  1.', '  2.', '  3.', '  4.', '  1.'])
  expect(text).toContain('TalosWorker default/one is created\n  1. ')
  expect(text).toContain('  at most 2 machines at a time:\n  3. ')
  expect(text).toContain('  one machine at a time:\n  1. ')
})

test.each<[MachineDiff[], string]>([
  [[], 'no machine changes'],
  [
    [{ ...changed, effort: 'reboot' }, changed, added, removed],
    '2 machines change (1 reboot), 1 is added, 1 is removed',
  ],
  [
    [{ ...changed, effort: 'upgrade' }, { ...changed, effort: 'reboot' }, removed, removed],
    '2 machines change (2 reboots), 2 are removed',
  ],
  [[added], '1 machine is added'],
  [[{ ...removed, problem: { reason: 'a', message: 'b' } }], '1 machine cannot be as it should'],
])('%j comes to %s', (machines, summary) => {
  expect(textOf(...machines)).toMatch(`\n${summary}\n`)
  expect(textOf(...machines).endsWith(`\n${summary}\n`)).toBe(true)
})

test('what is wrong, what is to be known and what was not looked at is told', () => {
  const problem = { reason: 'NoMachines', message: 'there is none' }
  const notes = [{ reason: 'Even', message: 'two of them' }]
  const refused = [{ kind: 'K', namespace: 'n', name: 'x', message: 'no\nnever', rightForm: 'so' }]
  const text = diffText({
    ...{ objects: [object({ problem, notes })], refused, notLookedAt: ['Pod a', 'Pod b'] },
  })

  expect(text).toBe(
    [
      'K n/x is refused\n  no\n  never\n  so\n',
      'TalosWorker default/one stays as it is',
      '  nothing is done for it: NoMachines: there is none',
      '  note: Even: two of them\n',
      'Not looked at: Pod a, Pod b\n',
      'no machine changes, 2 objects are wrong\n',
    ].join('\n'),
  )
})

test('what looks like a key in what somebody said is not shown', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----'
  const wrong = report(
    object({ notes: [{ reason: 'A', message: `it is ${key}, "token": "abcdef"` }] }),
  )

  expect(diffText(wrong)).toContain('it is ***')
  expect(diffText(wrong)).not.toContain('abcdef')
  expect(JSON.parse(diffJson(wrong))).toMatchObject({
    objects: [{ notes: [{ message: 'it is ***, "token": "***"' }] }],
  })
})

test('it exits as kubectl diff does', () => {
  const stuck = { ...removed, problem: { reason: 'a', message: 'b' } }
  const refused = [{ kind: 'K', namespace: 'n', name: 'x', message: 'no' }]

  expect(exitCodeFor(report(object()))).toBe(0)
  expect(exitCodeFor(report(object({ change: 'changed' })))).toBe(1)
  expect(exitCodeFor(report(object({ machines: [changed] })))).toBe(1)
  expect(exitCodeFor(report(object({ machines: [stuck] })))).toBe(2)
  expect(exitCodeFor(report(object({ problem: { reason: 'a', message: 'b' } })))).toBe(2)
  expect(exitCodeFor({ ...report(), refused })).toBe(2)
})
