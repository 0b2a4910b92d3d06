import { expect, test } from 'vitest'
import { ADOPTED, FORCE_DELETION, RESET_ACCEPTED } from '#api/labels.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { aClaimedMachine, aWaiting, OTHER_UUID, UUID } from '#test/machine-world.ts'
import { farewellTo } from './farewell.ts'
import type { Parent, Seen } from './world.ts'

const there: Parent = { is: 'there', controlPlane: aControlPlane({ metadata: { name: 'prod' } }) }
const going: Parent = {
  is: 'there',
  controlPlane: aControlPlane({
    metadata: { name: 'prod', deletionTimestamp: '2030-01-01T00:00:00Z' },
  }),
}
const silent: Seen = { is: 'silent', message: 'no route' }
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
  const [notice] = farewellTo(left.machine, { parent: left.parent, rivals: [], seen: silent })

  expect(notice).toMatchObject({ type: 'Warning', reason: 'NotReset' })
  expect(notice?.message).toContain(`machine ${UUID} at ${left.machine.spec?.endpoint}`)
  expect(notice?.message).toContain(`a talosconfig from ${keys}`)
  expect(notice?.message).toContain('`talosctl reset`')
})

test('one that was imported is said to go on, and why', () => {
  const [notice] = farewellTo(aClaimedMachine({ [ADOPTED]: 'true' }), {
    parent: there,
    rivals: [],
    seen: silent,
  })
  expect(notice).toMatchObject({ type: 'Normal', reason: 'Preserved' })
  expect(notice?.message).toContain('because it was imported')
})

test('one that is preserved is said to go on, which is what was asked for', () => {
  expect(farewellTo(preserved, { parent: there, rivals: [], seen: silent })).toMatchObject([
    { type: 'Normal', reason: 'Preserved' },
  ])
})

test('one that is preserved by what is above it is said to go on, and by whom', () => {
  const [notice] = farewellTo(aClaimedMachine(), {
    parent: there,
    rivals: [],
    seen: silent,
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
  expect(farewellTo(told, { parent: there, rivals: [], seen: silent })).toMatchObject([
    { type: 'Warning', reason: 'PreservedTooLate' },
  ])
})

test('one that another object stands for, too, is said to be left to that', () => {
  const twin = { name: 'default/twin', what: 'uuid' as const, isLettingGo: false }
  const [notice] = farewellTo(aClaimedMachine(), { parent: there, rivals: [twin], seen: silent })
  expect(notice).toMatchObject({ type: 'Normal', reason: 'LeftToAnother' })
  expect(notice?.message).toContain('TalosMachine default/twin stands for it too')
})

const accepted = aClaimedMachine({ [RESET_ACCEPTED]: '2030-01-01T00:00:00Z' })

test.each<[string, Seen]>([
  ['is silent since', silent],
  ['cannot be asked since', { is: 'unasked' }],
  ['has another one at its address since', aWaiting({ uuid: OTHER_UUID })],
])('of one that accepted to be reset and %s it is said that it may be back', (_what, seen) => {
  const [notice, ...others] = farewellTo(accepted, { parent: there, rivals: [], seen })

  expect(notice).toMatchObject({ type: 'Warning', reason: 'ResetNotSeen' })
  expect(notice?.message).toContain(`machine ${UUID} at ${accepted.spec?.endpoint}`)
  expect(notice?.message).toContain('TalosControlPlane prod warns of an UnknownNode')
  expect(notice?.message).toContain('a talosconfig from Secret prod-secrets')
  expect(others).toEqual([])
})

test('of one of a cluster that goes nobody warns later', () => {
  const [notice] = farewellTo(accepted, { parent: going, rivals: [], seen: silent })

  expect(notice).toMatchObject({ type: 'Warning', reason: 'ResetNotSeen' })
  expect(notice?.message).not.toContain('UnknownNode')
})

test('of one that accepted to be reset and was seen without a system there is nothing to say', () => {
  expect(farewellTo(accepted, { parent: there, rivals: [], seen: aWaiting() })).toEqual([])
})

test('of one that was wiped, or was never ours, there is nothing to say', () => {
  expect(farewellTo(aClaimedMachine(), { parent: there, rivals: [], seen: silent })).toEqual([])
  expect(
    farewellTo(aMachine({ metadata: { annotations: { [FORCE_DELETION]: 'true' } } }), {
      ...{ parent: there, rivals: [], seen: silent },
    }),
  ).toEqual([])
})
