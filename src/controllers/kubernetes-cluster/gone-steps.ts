import { FORCE_DELETION } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Step, World } from './world.ts'

/**
 * Lets machines of the engine go whose Machine was deleted by somebody, of those that may: they can never be reset, and
 * would be waited for for ever.
 */
export const goneSteps = (
  { gone, talos }: Pick<World, 'gone' | 'talos'>,
  mayGo: (machine: Machine) => boolean,
): Step[] =>
  talos.machines
    .filter((machine) => gone.includes(machine.metadata.name) && !isForced(machine))
    .filter(mayGo)
    .map(({ metadata }) => ({
      ...{ do: 'forceTalosMachine' as const, name: metadata.name, uid: metadata.uid ?? '' },
    }))

const isForced = ({ metadata }: Machine): boolean =>
  metadata.annotations?.[FORCE_DELETION] === 'true'
