import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { firstDecision } from '#engine/first-decision.ts'
import { unsupportedNotices } from '#engine/not-supported-yet.ts'
import type { Plan } from '#runtime/plan.ts'
import type { Rule } from './decision.ts'
import { driftNotices, driftOf } from './drift.ts'
import { installerNotices } from './installer-notices.ts'
import { wakeAt } from './pace.ts'
import { answered, reachabilityNotices } from './reachability.ts'
import { configurationUnknown, contested, orphaned } from './rules/before-looking.ts'
import { applyConfig, rejected, waitsForConsent, waitsForTurn } from './rules/configuration.ts'
import { endTurn, undoCordon } from './rules/end-of-turn.ts'
import { adopt, importing, metaWaitsForConsent } from './rules/import.ts'
import {
  componentsAmiss,
  kubeletHeldBack,
  kubernetesOlder,
  pullKubernetes,
} from './rules/kubernetes.ts'
import {
  comingUp,
  formerNode,
  metaDiffers,
  noteMember,
  running,
  unclaimed,
} from './rules/member.ts'
import { mended, notUpInTime } from './rules/mending.ts'
import { bootConfig, goesDown, noteConfig, triedInVain } from './rules/tries.ts'
import {
  extensionsLost,
  schematicWaitsForConsent,
  upgradeFailed,
  upgradeHeldBack,
  upgradeWaits,
  versionRefused,
} from './rules/upgrade.ts'
import { bootNew, installBeside, pullImage, upgradeAtOnce } from './rules/upgrade-steps.ts'
import { takenBack, upgraded, upgradesItself } from './rules/upgraded.ts'
import { claim, configure, wiped } from './rules/waiting.ts'
import { anotherMachine, notTheOneMeant, silent, stranger } from './rules/who-answers.ts'
import { statusFrom } from './status.ts'
import type { Step, World } from './world.ts'

export type MachinePlan = Plan<Step, typeof Machine>

/** In this order: the first that speaks decides, and the rest waits for the next pass. */
export const rules: readonly Rule[] = [
  orphaned,
  contested,
  silent,
  importing,
  stranger,
  anotherMachine,
  notTheOneMeant,
  adopt,
  unclaimed,
  configurationUnknown,
  wiped,
  claim,
  configure,
  noteMember,
  upgradesItself,
  mended,
  notUpInTime,
  comingUp,
  upgraded,
  takenBack,
  versionRefused,
  upgradeFailed,
  extensionsLost,
  upgradeWaits,
  pullImage,
  installBeside,
  bootNew,
  upgradeAtOnce,
  bootConfig,
  noteConfig,
  goesDown,
  rejected,
  waitsForConsent,
  kubernetesOlder,
  waitsForTurn,
  triedInVain,
  pullKubernetes,
  applyConfig,
  undoCordon,
  componentsAmiss,
  endTurn,
  schematicWaitsForConsent,
  metaWaitsForConsent,
  metaDiffers,
  kubeletHeldBack,
  upgradeHeldBack,
  formerNode,
  running,
]

/** What follows for a machine, by these rules. */
export const planBy =
  (order: readonly Rule[]) =>
  (machine: Machine, world: World, now: Date): MachinePlan => {
    const decision = firstDecision(order, machine, world, now)
    const { steps = [], ready, reachable = answered(world.seen), notices = [] } = decision
    return {
      steps,
      status: {
        ...statusFrom(machine, world.seen, decision.state),
        pending: decision.pending,
      },
      conditions: {
        Reachable: reachable,
        ...driftOf(machine, world),
        ...(ready && { Ready: ready }),
      },
      wakeAt: wakeAt(machine, decision.pace, { now, alike: world.alike }),
      // There is nothing to take down before the machine is ours.
      needsTeardown: steps.length > 0 || machine.metadata.annotations?.[MACHINE_UUID] !== undefined,
      notices: [
        ...unsupportedNotices(ready),
        ...reachabilityNotices(machine, world.seen),
        ...driftNotices(machine, world),
        ...installerNotices(machine, world),
        ...notices,
      ],
    }
  }

export const plan = planBy(rules)
