import { expect, test } from 'vitest'
import { ADOPTED, FORCE_DELETION, RESET_ACCEPTED } from '#api/labels.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { aClaimedMachine, UUID } from '#test/machine-world.ts'
import { farewellTo } from './farewell.ts'
import type { Parent } from './world.ts'

const there: Parent = { is: 'there', controlPlane: aControlPlane({ metadata: { name: 'prod' } }) }
const missing: Parent = { is: 'missing', what: 'TalosWorker pool' }
const forced = aClaimedMachine({ [FORCE_DELETION]: 'true' })
const preserved = aClaimedMachine({}, { spec: { deletionPolicy: 'preserve' } })

test.each([
  ['that was let go by force', { machine: forced, parent: there }, 'Secret prod-secrets'],
  [
    'whose parent is missing',
    { machine: aClaimedMachine(), parent: missing },
    'the Secret with the secrets of its cluster',
  ],
])('of a machine %s it is said what stays on it, and how to wipe it', (_what, left, keys) => {
  const [notice] = farewellTo(left.machine, { parent: left.parent, rivals: [] })

  expect(notice).toMatchObject({ type: 'Warning', reason: 'NotReset' })
  expect(notice?.message).toContain(`machine ${UUID} at ${left.machine.spec?.endpoint}`)
  expect(notice?.message).toContain(`a talosconfig from ${keys}`)
  expect(notice?.message).toContain('`talosctl reset`')
})

test('one that was imported is said to go on, and why', () => {
  const [notice] = farewellTo(aClaimedMachine({ [ADOPTED]: 'true' }), { parent: there, rivals: [] })
  expect(notice).toMatchObject({ type: 'Normal', reason: 'Preserved' })
  expect(notice?.message).toContain('because it was imported')
})

test('one that is preserved is said to go on, which is what was asked for', () => {
  expect(farewellTo(preserved, { parent: there, rivals: [] })).toMatchObject([
    { type: 'Normal', reason: 'Preserved' },
  ])
})

test('one that is preserved by what is above it is said to go on, and by whom', () => {
  const [notice] = farewellTo(aClaimedMachine(), {
    parent: there,
    rivals: [],
    keptBy: 'TalosCluster prod',
  })
  expect(notice).toMatchObject({ type: 'Normal', reason: 'Preserved' })
  expect(notice?.message).toContain('because deletionPolicy of TalosCluster prod is preserve')
})

test('one that was told to reset itself before that is not said to go on', () => {
  const told = aClaimedMachine(
    { [RESET_ACCEPTED]: '2030-01-01T00:00:00Z' },
    { spec: { deletionPolicy: 'preserve' } },
  )
  expect(farewellTo(told, { parent: there, rivals: [] })).toMatchObject([
    { type: 'Warning', reason: 'PreservedTooLate' },
  ])
})

test('one that another object stands for, too, is said to be left to that', () => {
  const twin = { name: 'default/twin', what: 'uuid' as const, isLettingGo: false }
  const [notice] = farewellTo(aClaimedMachine(), { parent: there, rivals: [twin] })
  expect(notice).toMatchObject({ type: 'Normal', reason: 'LeftToAnother' })
  expect(notice?.message).toContain('TalosMachine default/twin stands for it too')
})

test('of one that was wiped, or was never ours, there is nothing to say', () => {
  expect(farewellTo(aClaimedMachine(), { parent: there, rivals: [] })).toEqual([])
  expect(
    farewellTo(aMachine({ metadata: { annotations: { [FORCE_DELETION]: 'true' } } }), {
      ...{ parent: there, rivals: [] },
    }),
  ).toEqual([])
})
