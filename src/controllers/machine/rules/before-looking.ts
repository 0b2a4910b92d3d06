import type { Rule } from '#controllers/machine/decision.ts'
import { no, unknown } from '#runtime/plan.ts'
import { takingPodsAgain } from './disruption.ts'

/** Without its parent nobody knows what the machine is to be, and who may speak for it. */
export const orphaned: Rule = (_machine, { parent }) => {
  if (parent.is === 'there') return undefined
  return {
    state: 'Orphaned',
    ready: no(
      'ParentMissing',
      `${parent.what} is not there: the machine is left alone. Create it again, or delete this object, which then goes without touching the machine`,
    ),
    reachable: unknown('NotAsked', 'the machine is not asked anything while its parent is missing'),
    pace: 'later',
  }
}

/** Two objects must never configure one machine: the one that was there first may. */
export const contested: Rule = ({ spec }, { rivals: [rival] }) => {
  if (!rival) return undefined
  const what = rival.what === 'address' ? `the address ${spec?.endpoint}` : 'the same machine'
  return {
    ready: no(
      'ClaimedByAnother',
      `TalosMachine ${rival.name} has ${what}: take the machine out of one of the two`,
    ),
    pace: 'later',
  }
}

/** What the configuration is made from may not be there yet, or may be wrong. */
export const configurationUnknown: Rule = (machine, world, now) => {
  const { wanted } = world
  if (wanted.is === 'known') return undefined
  if (wanted.is === 'wrong') {
    // It may have been drained for what was wanted before.
    const steps = takingPodsAgain(machine, world, now)
    return { steps, ready: no(wanted.reason, wanted.message), pace: 'later' }
  }
  return { ready: no(wanted.reason, wanted.message), pace: 'soon' }
}
