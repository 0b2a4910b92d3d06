import type { Machine } from '#api/machine.ts'
import type { Decision } from '#controllers/machine/decision.ts'
import { draining } from '#controllers/machine/draining.ts'
import type { Step, World } from '#controllers/machine/world.ts'
import { lastTried } from '#engine/config-record.ts'
import { installsBeside } from '#engine/installer.ts'
import { isOnItsWay, upgradeRecord } from '#engine/upgrade-record.ts'
import { no } from '#runtime/plan.ts'

type State = NonNullable<Decision['state']>

/** What has to be waited for before a machine may be taken down for a while; undefined if nothing has to be. */
export function drainFirst(
  machine: Machine,
  world: World,
  { now, state }: { now: Date; state: State },
): Decision | undefined {
  const found = draining(machine, world, now)
  if (!found) return undefined
  const { steps = [], reason, message } = found
  return { steps, state, ready: no(reason, message), pace: 'soon' }
}

/** Whether its node keeps pods away because of us. */
const isCordonedByUs = ({ metadata }: Machine, { node }: Pick<World, 'node'>): boolean =>
  node?.drain !== undefined && node.drain.by === metadata.uid

/** Lets pods come to its node again. */
export const uncordonSteps = (machine: Machine, { node }: Pick<World, 'node'>): Step[] =>
  node?.uid && isCordonedByUs(machine, { node })
    ? [{ do: 'uncordon', node: node.name, uid: node.uid }]
    : []

/** The same for one of which nobody knows when it is taken down. What it was told a moment ago it may still go down for. */
export const takingPodsAgain = (machine: Machine, world: World, now: Date): Step[] =>
  toldToGoDown(machine).some((told) => isOnItsWay(told, now)) ? [] : uncordonSteps(machine, world)

/** What it was told that takes it down, and when. */
function toldToGoDown(machine: Machine): { at: Date }[] {
  const [record, tried] = [upgradeRecord(machine), lastTried(machine)]
  const isAllAtOnce = record?.phase === 'installing' && !installsBeside(record.from)
  return [
    ...(record && (record.phase === 'restarting' || isAllAtOnce) ? [record] : []),
    ...(tried?.mode === 'reboot' ? [tried] : []),
  ]
}

/** What is left to do for a machine that is not changed any further: first its node, then its turn. */
export function lettingGo(machine: Machine, { node, turn }: World): Step[] {
  const steps = uncordonSteps(machine, { node })
  if (steps.length > 0) return steps
  return turn === undefined ? [] : [{ do: 'endTurn', turn }]
}
