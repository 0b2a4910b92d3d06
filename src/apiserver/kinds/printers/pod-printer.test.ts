import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { podPrinter } from './pod-printer.ts'

const ended = (exitCode: number, more: Fields = {}): Fields => ({
  state: { terminated: { exitCode, ...more } },
})
const completed = ended(0, { reason: 'Completed' })
const runs: Fields = { ready: true, state: { running: {} } }
const readyPod: Fields = { conditions: [{ type: 'Ready', status: 'True' }] }

const shown = (status: Fields, metadata: Fields = {}): unknown => {
  const object = { metadata: { name: 'p', ...metadata }, spec: { containers: [{}, {}] }, status }
  return podPrinter.cells(object, new Date('2026-01-01T00:00:00Z'))[2]
}

test.each([
  ['Running', { containerStatuses: [runs, completed], ...readyPod }],
  ['NotReady', { containerStatuses: [completed, runs] }],
  ['Error', { containerStatuses: [completed, ended(1, { reason: 'Error' })] }],
  ['ExitCode:3', { containerStatuses: [ended(3), completed] }],
  ['Signal:9', { containerStatuses: [ended(0, { signal: 9 })] }],
  ['Completed', { containerStatuses: [completed, completed] }],
  [
    'CrashLoopBackOff',
    { containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }] },
  ],
  ['Init:0/0', { initContainerStatuses: [{ state: { running: {} } }] }],
  ['Init:Error', { initContainerStatuses: [ended(1, { reason: 'Error' })] }],
  ['Evicted', { reason: 'Evicted', phase: 'Failed' }],
  [
    'SchedulingGated',
    { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] },
  ],
])('a pod is shown as %s', (reason, status: Fields) => {
  expect(shown(status)).toBe(reason)
})

test('a pod that fails beside one that completed tells of the failure', () => {
  const failed = ended(1, { reason: 'OOMKilled' })

  expect(shown({ containerStatuses: [completed, failed] })).toBe('OOMKilled')
})

test('a deleted pod ends, unless it has ended or its node is lost', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z'

  expect(shown({ phase: 'Running' }, { deletionTimestamp })).toBe('Terminating')
  expect(shown({ phase: 'Succeeded' }, { deletionTimestamp })).toBe('Succeeded')
  expect(shown({ reason: 'NodeLost' }, { deletionTimestamp })).toBe('Unknown')
})

test('a restart is told of with its time', () => {
  const restarted = {
    ...runs,
    restartCount: 4,
    lastState: { terminated: { finishedAt: '2025-12-31T23:00:00Z' } },
  }
  const object = {
    metadata: {},
    spec: { containers: [{}] },
    status: { containerStatuses: [restarted] },
  }

  expect(podPrinter.cells(object, new Date('2026-01-01T00:00:00Z')).slice(1, 4)).toEqual([
    '1/1',
    '',
    '4 (60m ago)',
  ])
})
