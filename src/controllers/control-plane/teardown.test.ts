import { expect, test } from 'vitest'
import { FORCE_DELETION } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aControlPlane } from '#test/builders.ts'
import { aMember, aWorld, NOW } from '#test/control-plane-world.ts'
import { teardown } from './teardown.ts'

const leaving = (annotations: Record<string, string> = {}) =>
  aControlPlane({ metadata: { deletionTimestamp: '2030-01-01T00:00:00Z', annotations } })
const FORCED = leaving({ [FORCE_DELETION]: 'true' })

const going = (machine: Machine): Machine => ({
  ...machine,
  metadata: { ...machine.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' },
})

const stepsOf = (controlPlane = leaving(), world = aWorld()) => {
  const plan = teardown(controlPlane, world, NOW)
  return plan === 'finished' ? plan : plan.steps.map(({ do: what }) => what)
}

test('pools go first, because nobody else has the keys to their machines', () => {
  const plan = teardown(leaving(), aWorld({ workers: ['pool'] }), NOW)
  expect(plan).toMatchObject({
    steps: [],
    conditions: { Deleting: { ok: true, reason: 'WorkersRemain' }, Ready: { ok: false } },
    wakeAt: new Date(NOW.getTime() + 10_000),
  })
  expect(JSON.stringify(plan)).toContain('TalosWorker pool')
  expect(JSON.stringify(plan)).toContain(FORCE_DELETION)
})

test('then all machines at once, each by the object that was seen', () => {
  const plan = teardown(leaving(), aWorld({ machines: [aMember(1), going(aMember(2))] }), NOW)
  expect(plan).toMatchObject({
    steps: [
      {
        ...{ do: 'removeMachine', machine: 'prod-192.0.2.1', uid: aMember(1).metadata.uid },
      },
    ],
    conditions: { Deleting: { reason: 'RemovingMachines' } },
  })
})

test('that they are to be kept reaches them first, also those that are on their way', () => {
  const { metadata } = leaving()
  const keeping = aControlPlane({ metadata, spec: { deletionPolicy: 'preserve' } })
  const world = aWorld({ machines: [aMember(1), going(aMember(2))] })

  expect(stepsOf(keeping, world)).toEqual(['keepMachine', 'keepMachine', 'removeMachine'])
})

test('it waits while machines are on their way, and is over when there are none', () => {
  expect(stepsOf(leaving(), aWorld({ machines: [going(aMember(1))] }))).toEqual([])
  expect(stepsOf(leaving(), aWorld({ machines: [], hold: 'loose' }))).toBe('finished')
})

test.each(['held', 'condemned'] as const)(
  'the Secret with the keys is let go after the last machine, and not before (%s)',
  (hold) => {
    const last = aWorld({ machines: [going(aMember(1))], hold })
    expect(stepsOf(leaving(), last)).toEqual([])
    expect(stepsOf(leaving(), aWorld({ machines: [], hold }))).toEqual(['releaseSecrets'])
    expect(stepsOf(leaving(), aWorld({ machines: [], hold: 'absent' }))).toBe('finished')
  },
)

test('by force it waits for no pool, and machines hear of force before they are deleted', () => {
  expect(stepsOf(FORCED, aWorld({ workers: ['pool'] }))).toEqual(['forceMachine', 'removeMachine'])
  expect(stepsOf(FORCED, aWorld({ machines: [going(aMember(1))] }))).toEqual(['forceMachine'])
  expect(stepsOf(FORCED, aWorld({ machines: [], workers: ['pool'], hold: 'loose' }))).toBe(
    'finished',
  )
})

test('anything but true is no force', () => {
  const plan = stepsOf(leaving({ [FORCE_DELETION]: 'yes' }), aWorld({ workers: ['pool'] }))
  expect(plan).toEqual([])
})
