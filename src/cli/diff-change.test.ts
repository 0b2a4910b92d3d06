import { expect, test } from 'vitest'
import { CONFIG, CONFIG_REJECTED, MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aConfig } from '#machineconfig/diff/a-config.cases.ts'
import type { ValueMap } from '#machineconfig/document.ts'
import { aMachine } from '#test/builders.ts'
import { changeOf, type Staying } from './diff-change.ts'
import type { Running } from './diff-running.ts'
import type { Wish } from './diff-wish.ts'

const machine = aMachine({ metadata: { annotations: { [MACHINE_UUID]: 'a', [CONFIG]: 'x y' } } })
const unseen: Running = { is: 'unseen', why: 'it is off' }
const labelled = (value: string): ValueMap => ({ machine: { nodeLabels: { a: value } } })
const PROBLEM = { reason: 'ConfigInvalid', message: 'it is wrong' }

/** What is wanted, with a configuration that says this. */
function wish(text: string, over: Partial<Wish> & { version?: string } = {}): Wish {
  const spec = machine.spec
  if (!spec) throw new Error('a machine has a spec')
  const { version = spec.version, ...rest } = over
  const config = { fingerprint: text, make: () => aConfig(labelled(text)) }
  return { spec: { ...spec, version }, config, meta: undefined, ...rest }
}

const seen = (text: string, version = 'v1.13.0'): Running => ({
  ...{ is: 'seen', version, config: aConfig(labelled(text)) },
})

const change = (over: Partial<Staying>, running: Running, of: Machine = machine) =>
  changeOf({ machine: of, before: wish('a'), after: wish('a'), ...over }, running)

test('a machine that has what is wanted stays as it is, whatever was wanted before', () => {
  expect(change({}, seen('a'))).toBeUndefined()
  expect(change({ after: wish('b') }, seen('b'))).toBeUndefined()
})

test('what it has counts, and not what it should have had', () => {
  expect(change({ after: wish('b') }, seen('c'))).toMatchObject({
    ...{ do: 'change', effort: 'live', comparedWith: 'machine' },
    changes: [{ path: 'machine.nodeLabels.a', before: 'c', after: 'b' }],
  })
})

test('of one that does not say, what it should have counts', () => {
  expect(change({ after: wish('b') }, unseen)).toMatchObject({
    ...{ comparedWith: 'objects', unseen: 'it is off' },
    changes: [{ before: 'a', after: 'b' }],
  })
  expect(change({}, unseen)).toBeUndefined()
})

test('what differs and nobody changes is on its way already', () => {
  expect(change({}, seen('c'))).toBe('already')
  expect(change({}, seen('a', 'v1.12.0'))).toBe('already')
  expect(change({ after: wish('a', { config: { problem: PROBLEM } }) }, seen('a'))).toMatchObject({
    problem: PROBLEM,
  })
  const wrong = wish('a', { config: { problem: PROBLEM } })
  expect(change({ before: wrong, after: wrong }, seen('a'))).toBe('already')
})

test('one that is not installed yet is then installed with it', () => {
  expect(change({ after: wish('b', { version: 'v1.13.1' }) }, unseen, aMachine())).toMatchObject({
    ...{ effort: 'install', comparedWith: 'objects', changes: [{ after: 'b' }] },
  })
  expect(change({ after: wish('b') }, unseen, aMachine())).not.toHaveProperty('unseen')
})

test.each([
  ['v1.13.0', 'v1.13.1', undefined],
  ['v1.13.1', 'v1.13.0', 'DowngradeRefused'],
  ['v1.8.0', 'v1.13.0', 'UpgradePathUnsupported'],
  // Nobody knows what such a one makes of changes.
  ['v1.4.0', 'v1.13.0', 'UpgradePathUnsupported'],
])('Talos %s becomes %s: %s', (from, to, reason) => {
  const found = change({ after: wish('b', { version: to }) }, seen('a', from))

  expect(found).toMatchObject({ effort: 'upgrade', upgrade: { from, to }, changes: [{}] })
  expect(typeof found === 'object' ? found.problem?.reason : found).toBe(reason)
})

test('the version of a silent machine is the one that was last seen', () => {
  const old = { ...machine, status: { observedVersion: 'v1.12.4' } }

  expect(change({ after: wish('b') }, unseen, old)).toMatchObject({
    upgrade: { from: 'v1.12.4', to: 'v1.13.0' },
  })
})

test('what it did not take before it is not given again', () => {
  const annotations = {
    ...machine.metadata.annotations,
    [CONFIG_REJECTED]: 'b it does not like it',
  }
  const refusing = { ...machine, metadata: { ...machine.metadata, annotations } }

  expect(change({ after: wish('b') }, seen('a'), refusing)).toMatchObject({
    problem: { reason: 'ConfigRejected', message: expect.stringContaining('it does not like it') },
  })
  expect(change({ after: wish('c') }, seen('a'), refusing)).not.toHaveProperty('problem')
})

test('one that somebody else configured is not changed before somebody says so', () => {
  const { [CONFIG]: _, ...annotations } = machine.metadata.annotations ?? {}
  const other = { ...machine, metadata: { ...machine.metadata, annotations } }
  const held = { reason: 'WaitsForConsent' }

  expect(change({ after: wish('b') }, seen('c'), other)).toMatchObject({ problem: held })
  expect(change({ after: wish('b') }, unseen, other)).not.toHaveProperty('problem')
})

test('settings that are written to META change a machine', () => {
  expect(change({ after: wish('a', { meta: 'x' }) }, seen('a'))).toMatchObject({
    ...{ effort: 'live', isMetaWritten: true, changes: [] },
  })
  expect(
    change({ before: wish('a', { meta: 'x' }), after: wish('a', { meta: 'x' }) }, seen('a')),
  ).toBeUndefined()
})
