import { CONSENT } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { type Notice, type Verdict, yes } from '#runtime/plan.ts'
import { isDriftCorrected, standingOf, tokenFor, wordsFor } from './rules/configuration.ts'
import type { World } from './world.ts'

/** That somebody else changed the machine. It is no less ready for that: it may be why it works. */
export function driftOf(machine: Machine, world: World): { Drifted?: Verdict } {
  const { change } = world
  if (!change || standingOf(machine, world) !== 'drifted') return {}
  const next = isDriftCorrected(world)
    ? 'It is put right, because rolloutStrategy.configDrift is correct'
    : 'It stays until the spec is edited the next time; with rolloutStrategy.configDrift: correct it is put right'
  return {
    Drifted: yes(
      'EditedElsewhere',
      `somebody changed the configuration on the machine itself: ${wordsFor(change)}. ${next}`,
    ),
  }
}

/** What nobody asked for is not done to machines that run, and not kept quiet either. */
export function driftNotices(machine: Machine, world: World): Notice[] {
  const { change } = world
  if (!change || standingOf(machine, world) !== 'regenerated') return []
  return [
    {
      ...{ type: 'Normal', reason: 'ConfigurationRegenerated' },
      message: `this release of the operator would write the configuration of the machine otherwise: ${wordsFor(change)}. The machine keeps what it has until the spec is edited, or until this object is annotated with ${CONSENT}=${tokenFor(world)}`,
    },
  ]
}
