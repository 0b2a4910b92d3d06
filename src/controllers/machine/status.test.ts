import { describe, expect, test } from 'vitest'
import { ADOPTED, MACHINE_UUID } from '#api/labels.ts'
import { aMachine } from '#test/builders.ts'
import { aClaimedMachine, aMember, aWaiting, OTHER_UUID, UUID } from '#test/machine-world.ts'
import { statusFrom } from './status.ts'

const before = {
  state: 'Available' as const,
  uuid: UUID,
  observedVersion: 'v1.12.0',
  stage: 'running',
  type: 'controlplane' as const,
  hostname: 'before',
  addresses: ['192.0.2.1'],
  etcdMember: { id: '1', learner: false },
  imported: true,
}

describe('a status shows', () => {
  test('a machine of the cluster as it is seen, with its addresses in order', () => {
    const seen = aMember({ addresses: ['b', 'a'], hostname: 'now' })

    expect(
      statusFrom(aClaimedMachine({ [ADOPTED]: 'true' }, { status: before }), seen),
    ).toMatchObject({
      uuid: UUID,
      observedVersion: 'v1.13.0',
      stage: 'running',
      type: 'controlplane',
      hostname: 'now',
      addresses: ['a', 'b'],
      etcdMember: { id: '00000000000000aa', learner: false },
      imported: true,
    })
  })

  test('nothing of the cluster for a machine that waits', () => {
    const status = statusFrom(aClaimedMachine({}, { status: before }), aWaiting())

    expect(status).toMatchObject({ uuid: UUID, stage: 'maintenance', state: 'Pending' })
    expect(status).not.toHaveProperty('etcdMember')
  })

  test.each([
    { is: 'silent' as const, message: '' },
    { is: 'unasked' as const },
    { is: 'stranger' as const, mismatch: undefined, message: '' },
    aMember({ uuid: OTHER_UUID, hostname: 'another' }),
    aWaiting({ uuid: OTHER_UUID }),
  ])('what was seen last while its own machine does not answer: $is', (seen) => {
    expect(
      statusFrom(aClaimedMachine({ [ADOPTED]: 'true' }, { status: before }), seen),
    ).toMatchObject(before)
  })
})

test('the schematic is what was last read, until it is read again or nothing is installed', () => {
  const machine = aClaimedMachine({}, { status: { ...before, observedSchematic: 'a' } })
  const boot = { id: 'b1', schematic: 'b', extensions: [], installer: undefined }
  const shown = (seen: Parameters<typeof statusFrom>[1]) =>
    statusFrom(machine, seen).observedSchematic

  expect(shown(aMember())).toBe('a')
  expect(shown({ is: 'silent', message: '' })).toBe('a')
  expect(shown(aMember({ boot }))).toBe('b')
  expect(shown(aMember({ boot: { ...boot, schematic: undefined } }))).toBeUndefined()
  expect(shown(aMember({ uuid: OTHER_UUID, boot }))).toBe('a')
  expect(shown(aWaiting())).toBeUndefined()
})

describe('the state of a machine', () => {
  const stateOf = (...[machine, seen]: Parameters<typeof statusFrom>) =>
    statusFrom(machine, seen).state

  test('is what the rule says, or else what can be seen', () => {
    expect(statusFrom(aMachine(), aWaiting(), 'Installing').state).toBe('Installing')
    expect(stateOf(aMachine(), aWaiting())).toBe('Pending')
    expect(stateOf(aMachine(), aMember())).toBe('Available')
    expect(stateOf(aMachine(), aMember({ stage: 'rebooting' }))).toBe('Installing')
  })

  test('is never empty, and not orphaned for longer than it is', () => {
    const silent = { is: 'silent' as const, message: '' }

    expect(stateOf(aMachine(), silent)).toBe('Pending')
    expect(stateOf(aMachine({ status: { state: 'Orphaned' } }), silent)).toBe('Pending')
    expect(stateOf(aMachine({ status: { state: 'Installing' } }), silent)).toBe('Installing')
  })
})

test('what an older operator wrote stays until the machine is taken over, and goes then', () => {
  const old = { status: { config: 'old' } }
  const claimed = { metadata: { annotations: { [MACHINE_UUID]: UUID } }, ...old }

  expect(statusFrom(aMachine(old), aMember()).config).toBe('old')
  expect(statusFrom(aMachine(claimed), aMember()).config).toBeUndefined()
})
