import { FORCE_DELETION } from '#api/labels.ts'
import type { Rule } from '#controllers/machine/decision.ts'
import type { Rival } from '#controllers/machine/world.ts'
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
  return {
    ready: no('ClaimedByAnother', wordsFor(rival, spec?.endpoint ?? '')),
    pace: 'later',
  }
}

function wordsFor({ name, what, isLettingGo, elsewhere }: Rival, here: string): string {
  const has = `TalosMachine ${name} has ${what === 'address' ? `the address ${here}` : 'the same machine'}`
  if (isLettingGo) return lettingGo(has, name, elsewhere)
  if (elsewhere?.areTwo) {
    return `TalosMachine ${name} has a machine of the same UUID, which runs at ${elsewhere.address}. Two of one UUID cannot be told apart: give one of them another in its firmware, or take it out of the spec`
  }
  if (elsewhere?.isOfSamePool) {
    const { address } = elsewhere
    return `${has}, known at ${address}, and a machine has one entry. If it has moved to ${here}, take the entry of ${address} out, and ${name} follows it; otherwise take out that of ${here}`
  }
  return `${has}: take the machine out of one of the two`
}

function lettingGo(has: string, name: string, elsewhere: Rival['elsewhere']): string {
  const start = `${has}, and is being deleted`
  if (!elsewhere) return `${start}: this one waits until it is gone`
  const { address, isOfSamePool } = elsewhere
  return isOfSamePool
    ? `${start}: it follows the machine from ${address} to here and has it reset, and this one waits until it is gone`
    : `${start}, and looks for it at ${address} to have it reset: this one waits until it is gone. If the machine is not there any more, annotate TalosMachine ${name} with ${FORCE_DELETION}=true, and wipe the machine with \`talosctl reset\``
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
