import type { Decision, Rule } from '#controllers/control-plane/decision.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { type KubeletPhase, kubeletPhase } from '#engine/kubelet-moves.ts'
import { isMoving } from '#engine/kubernetes-record.ts'
import { isWell, isWellNow, KUBERNETES_PENDING, UPGRADING_KUBERNETES } from '#engine/pending.ts'
import { isReadyNow, judgedBy } from '#engine/pool-machines.ts'
import { stuck } from '#engine/stuck.ts'
import { no } from '#runtime/plan.ts'
import { isTurnHeld } from './rollout.ts'

/**
 * What workers were let have is over as soon as none of them needs it. It comes before turns are given, because Talos waits for
 * it, and another Talos may be what mends a machine: so kubelets that cannot be moved keep nobody from that.
 */
export const endKubelets: Rule = (controlPlane, { kubelets: seen, machines, pool, turns }) => {
  const phase = kubeletPhase(controlPlane)
  if (phase === undefined) return undefined
  const held = turns.turns?.held ?? []
  const areOthersWell = judgedBy(machines, pool).every(
    (machine) => isWell(machine) || held.some(({ uid }) => uid === machine.metadata.uid),
  )
  const isWanted = seen.asking.length > 0 && !seen.problem && areOthersWell
  const isBusy = seen.busy.length > 0
  switch (phase) {
    case 'preparing':
      return isWanted ? undefined : moved(undefined, seen)
    case 'moving':
      return isWanted || isBusy ? undefined : moved('ending', seen)
    case 'ending':
      return isBusy ? undefined : moved(undefined, seen)
  }
}

/**
 * Workers get other kubelets without an upgrade of their cluster when a pool asks for them: never while a machine of the cluster
 * gets another Talos, and none gets that before they have them.
 */
export const kubelets: Rule = (controlPlane, world) => {
  const { kubelets: seen, machines, pool } = world
  const phase = kubeletPhase(controlPlane)
  const judged = judgedBy(machines, pool)
  // An upgrade of the cluster comes to them by itself. And what is the matter with machines is said by rules that come after.
  if (isMoving(controlPlane) || isTurnHeld(world) || !judged.every(isWellNow)) return undefined
  if (phase === undefined) return judged.every(isReadyNow) ? begun(seen) : undefined
  if (phase === 'preparing' && seen.busy.length === 0) return moved('moving', seen)
  return { ...moving(seen), again: 'soon' }
}

type Seen = World['kubelets']

function begun(seen: Seen): Decision | undefined {
  const { asking, problem, unlikeTalos, busy } = seen
  if (asking.length === 0) return undefined
  if (problem) {
    return { state: 'Ready', ready: stuck(problem.reason, problem.message), again: 'later' }
  }
  if (unlikeTalos.length > 0) {
    return waiting(
      seen,
      `until ${unlikeTalos.join(', ')} runs the Talos that it is to: Talos and Kubernetes are not upgraded at once`,
    )
  }
  if (busy.length > 0) {
    return waiting(seen, `until the machines of ${busy.join(', ')} that are being changed are done`)
  }
  return moved('preparing', seen)
}

const waiting = ({ asking }: Seen, until: string): Decision => ({
  state: 'Ready',
  ready: no(
    KUBERNETES_PENDING,
    `the workers of ${asking.join(', ')} are to get other kubelets, which waits ${until}`,
  ),
  again: 'later',
})

const moved = (phase: KubeletPhase | undefined, seen: Seen): Decision => ({
  steps: [{ do: 'moveKubelets', phase }],
  ...moving(seen),
})

const moving = ({ asking, busy }: Seen): Decision => {
  const pools = [...new Set([...asking, ...busy])].sort()
  const whose = pools.length > 0 ? ` of ${pools.join(', ')}` : ''
  return {
    state: 'UpgradingKubernetes',
    ready: no(
      UPGRADING_KUBERNETES,
      `the workers${whose} get other kubelets, and Talos stays as it is on all machines meanwhile`,
    ),
  }
}
