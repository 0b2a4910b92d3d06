import { expect, test } from 'vitest'
import {
  ADOPTED,
  CONFIG,
  CONFIG_REJECTED,
  CONSENT,
  MACHINE_UUID,
  UPGRADE_FAILED,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aMachineSpec } from '#engine/pool.cases.ts'
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

const ofSchematic = (text: string, letter: string) => {
  const { spec, ...rest } = wish(text)
  const image = `factory.talos.dev/metal-installer/${letter.repeat(64)}`
  return { ...rest, spec: { ...spec, machineSpec: aMachineSpec({ image }) } }
}

test('another schematic at the same version is an upgrade', () => {
  const [before, after] = [ofSchematic('a', 'a'), ofSchematic('b', 'b')]
  const upgrade = { from: 'v1.13.0', to: 'v1.13.0', schematic: 'b'.repeat(64) }
  const has = (letter: string) => ({
    ...{ ...machine, status: { observedSchematic: letter.repeat(64) } },
  })

  expect(change({ before, after }, seen('a'), has('a'))).toMatchObject({
    ...{ effort: 'upgrade', upgrade },
  })
  expect(change({ before, after }, unseen)).toMatchObject({ effort: 'upgrade', upgrade })
  expect(change({ after }, seen('a'))).toMatchObject({ effort: 'upgrade', upgrade })
  expect(change({ before, after }, seen('a'), has('b'))).not.toHaveProperty('upgrade')
  expect(change({ before: after, after }, seen('b'), has('a'))).toBe('already')
  expect(change({ before, after: wish('b') }, seen('a'), has('a'))).not.toHaveProperty('upgrade')
})

test('an imported machine is installed anew by an edit of its image alone', () => {
  const annotations = { ...machine.metadata.annotations, [ADOPTED]: 'true' }
  const imported = { ...machine, metadata: { ...machine.metadata, annotations } }
  const of = { ...imported, status: { observedSchematic: 'c'.repeat(64) } }
  const [before, after] = [ofSchematic('a', 'b'), ofSchematic('b', 'b')]

  expect(change({ before, after }, seen('a'), of)).toMatchObject({ effort: 'live' })
  expect(change({ before: ofSchematic('a', 'a'), after }, seen('a'), of)).toMatchObject({
    effort: 'upgrade',
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

const upgraded = wish('a', { version: 'v1.13.1' })
const IMAGE = 'ghcr.io/siderolabs/installer:v1.13.1'

test('an upgrade that failed before is not tried again, in the words of the operator', () => {
  const failed = (image: string): Machine => {
    const annotations = {
      ...machine.metadata.annotations,
      [UPGRADE_FAILED]: `${image} it went back`,
    }
    return { ...machine, metadata: { ...machine.metadata, annotations } }
  }
  expect(change({ after: upgraded }, seen('a'), failed(IMAGE))).toMatchObject({
    problem: {
      reason: 'UpgradeFailed',
      message: expect.stringMatching(
        /^the machine was to be upgraded from Talos v1\.13\.0 to v1\.13\.1: it went back\. No other/,
      ),
    },
  })
  expect(change({ after: upgraded }, seen('a'), failed('another:v1'))).not.toHaveProperty('problem')
})

test('an upgrade that would lose extensions is not made, unless somebody says so', () => {
  const boot = {
    ...{ id: 'b', schematic: 'f', extensions: ['zfs'], installer: 'factory.example/f:v1.13.0' },
  }
  const running = { ...seen('a'), boot }
  const found = change({ after: upgraded }, running)
  expect(found).toMatchObject({ problem: { reason: 'ExtensionsWouldBeLost' } })

  const said = typeof found === 'object' ? (found.problem?.message ?? '') : ''
  const [, token = ''] = /consent=(\w+)$/.exec(said) ?? []
  const annotations = { ...machine.metadata.annotations, [CONSENT]: token }
  const consented = { ...machine, metadata: { ...machine.metadata, annotations } }
  expect(change({ after: upgraded }, running, consented)).not.toHaveProperty('problem')
})
