import type { ControlPlane } from '#api/control-plane.ts'
import { wasImported } from '#engine/adoption.ts'
import { firstDecision } from '#engine/first-decision.ts'
import { oldestOf } from '#engine/kubernetes-moves.ts'
import { unsupportedNotices } from '#engine/not-supported-yet.ts'
import { hasUnwatched } from '#engine/pool-entries.ts'
import type { Plan } from '#runtime/plan.ts'
import type { Rule } from './decision.ts'
import {
  allHaveAnswered,
  apiIsSilent,
  membersAreNoted,
  runsAlready,
} from './rules/begun-elsewhere.ts'
import { bootstrap, chooseBootstrap, recordBegun } from './rules/bootstrap.ts'
import { recordFacts } from './rules/facts.ts'
import {
  apiAnswers,
  deliver,
  endpointTaken,
  machinesReady,
  notDelivered,
  wordsForTaken,
} from './rules/health.ts'
import { adopt, importCluster, importNeedsKeys } from './rules/import.ts'
import { notBuiltYet, wrongInput } from './rules/input.ts'
import { endKubelets, kubelets } from './rules/kubelets.ts'
import { asUpgrading, kubernetes, stopKubernetes } from './rules/kubernetes.ts'
import { inTheWay, machines, unresolved } from './rules/machines.ts'
import { quorumLost, unknownMembers } from './rules/quorum.ts'
import { forgetMembers, oldEtcd, splitEtcd } from './rules/recovered.ts'
import { leaveEtcd, removeSurplus, uncordonStrays } from './rules/removal.ts'
import { giveTurn, turns } from './rules/rollout.ts'
import { condemned, holdSecrets, secrets } from './rules/secrets.ts'
import { unknownNodeNotices } from './unknown-nodes.ts'
import type { Step, World } from './world.ts'

export type ControlPlanePlan = Plan<Step, typeof ControlPlane>

/** In this order: the first that speaks decides, and the rest waits for the next pass. */
export const rules: readonly Rule[] = [
  notBuiltYet,
  wrongInput,
  importNeedsKeys,
  importCluster,
  secrets,
  holdSecrets,
  adopt,
  recordFacts,
  endpointTaken,
  runsAlready,
  splitEtcd,
  machines,
  unresolved,
  recordBegun,
  quorumLost,
  forgetMembers,
  deliver,
  turns,
  uncordonStrays,
  leaveEtcd,
  removeSurplus,
  membersAreNoted,
  apiIsSilent,
  allHaveAnswered,
  chooseBootstrap,
  bootstrap,
  endKubelets,
  stopKubernetes,
  giveTurn,
  apiAnswers,
  inTheWay,
  notDelivered,
  kubelets,
  kubernetes,
  oldEtcd,
  machinesReady,
]

const AGAIN_MS = { soon: 5_000, later: 60_000 }
// Credentials grow old while nothing happens.
const LATEST_MS = 3_600_000

/** What follows for a control plane, by these rules. */
export const planBy =
  (order: readonly Rule[]) =>
  (controlPlane: ControlPlane, world: World, now: Date): ControlPlanePlan => {
    const { steps = [], again, ...decided } = firstDecision(order, controlPlane, world)
    const { state, ready, conditions } = asUpgrading(controlPlane, world, decided)
    const { warnings, taken, hold } = world
    // What an entry refers to is watched, and wakes; where only reading it is allowed, looking is all there is. And nobody
    // tells when a machine is let go that was being drained, or when a pool can go on.
    const { areNodesMarked, kubelets: seen } = world
    const isWatched = hasUnwatched(controlPlane) || areNodesMarked || seen.isAnyWaiting
    const latest = again ?? (isWatched ? 'later' : undefined)
    return {
      steps,
      status: {
        state,
        observedKubeVersion: versionSeen(controlPlane, world),
        imported: wasImported(controlPlane),
        // Kept until the secrets are where they belong.
        ...(world.secrets.is !== 'there' && leftByOlder(controlPlane, world)),
      },
      conditions: { ...conditions, ...(ready && { Ready: ready }) },
      wakeAt: new Date(now.getTime() + (latest ? AGAIN_MS[latest] : LATEST_MS)),
      notices: [
        ...unsupportedNotices(ready),
        ...warnings,
        ...(hold === 'condemned' ? [condemned(controlPlane)] : []),
        ...unknownMembers(world),
        ...unknownNodeNotices(world),
        ...taken.map((one) => ({ reason: 'SecretNameTaken', message: wordsForTaken(one) })),
      ].map((warning) => ({ type: 'Warning', ...warning })),
    }
  }

export const plan = planBy(rules)

/** What runs on all of its machines, as it is now or was seen last. */
const versionSeen = ({ status }: ControlPlane, { api, machines: own }: World) =>
  api.is === 'answering' ? oldestOf(api.version, own) : status?.observedKubeVersion

const leftByOlder = ({ status }: ControlPlane, { secrets }: World) => ({
  // That there was a state says that there were secrets. Without those it is not Ready any more.
  state:
    status?.state === 'Ready' && secrets.is === 'refused'
      ? ('Bootstrapped' as const)
      : status?.state,
  config: status?.config,
  secretBundle: status?.secretBundle,
  bundleConfig: status?.bundleConfig,
})
