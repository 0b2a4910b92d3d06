import { expect, test } from 'vitest'
import { MACHINE_UUID } from '#api/labels.ts'
import { aMachine } from '#test/builders.ts'
import { aWorld, NOW, UUID } from '#test/machine-world.ts'
import { stranger } from './who-answers.ts'

const seen = { is: 'stranger', mismatch: 'another-cluster', message: '' } as const
const status = { config: 'version: v1alpha1\n' }
const claimed = { annotations: { [MACHINE_UUID]: UUID } }

const advice = (machine: ReturnType<typeof aMachine>, holder?: string) =>
  stranger(machine, aWorld({ seen, holder }), NOW)?.ready?.message

test('a machine of another cluster may be wiped, if nobody needs what is on it', () => {
  expect(advice(aMachine())).toContain('Wipe it with `talosctl reset`')
})

test('one that another object stands for is not to be wiped, and the object is named', () => {
  expect(advice(aMachine(), 'lab/other')).toContain('TalosMachine lab/other')
  expect(advice(aMachine(), 'lab/other')).not.toContain('talosctl reset')
})

test('one that an older operator configured is not to be wiped before its keys are taken over', () => {
  expect(advice(aMachine({ status }))).toContain('do not wipe it')
  expect(advice(aMachine({ status }))).not.toContain('talosctl reset')
})

test('one that was taken over, and has keys of another cluster now, is like any other', () => {
  expect(advice(aMachine({ status, metadata: claimed }))).toContain('talosctl reset')
})
