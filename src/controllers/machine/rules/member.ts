import { ETCD_FORGOTTEN, ETCD_MEMBER, MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import { diskPickedBefore, wasConfiguredBefore } from '#controllers/machine/published-config.ts'
import type { Member, World } from '#controllers/machine/world.ts'
import { isWell } from '#engine/pending.ts'
import { isTrue } from '#engine/pool-machines.ts'
import { no, unknown, type Verdict } from '#runtime/plan.ts'

/** A machine of the cluster that this object did not configure. */
export const unclaimed: Rule = (machine, { seen }) => {
  if (seen.is !== 'member' || machine.metadata.annotations?.[MACHINE_UUID]) return undefined
  if (wasConfiguredBefore(machine)) {
    const disk = diskPickedBefore(machine)
    return {
      steps: [{ do: 'claim', uuid: seen.uuid, ...(disk !== undefined && { disk }) }],
      ready: no('TakingOver', 'the machine is taken over from an older operator'),
      pace: 'soon',
    }
  }
  const left = no(
    'NotInMaintenance',
    'the machine is already one of this cluster, and not by this object: it may have been forgotten here, or be another one’s. It is left alone. Wipe it with `talosctl reset` to have it installed anew; or import it, as docs/guides/importing.md says',
  )
  return { ready: left, reachable: unknown(left.reason, left.message), pace: 'later' }
}

/**
 * Which member of etcd is the machine's is seen only while that runs. Written down, it is known also of a machine that is
 * off, and whose member may have to be taken out through another one.
 */
export const noteMember: Rule = (machine, { seen }) => {
  const { etcdMember, etcdMembers } = seen.is === 'member' ? seen : {}
  const { [ETCD_MEMBER]: noted, [ETCD_FORGOTTEN]: forgotten } = machine.metadata.annotations ?? {}
  if (!etcdMember || etcdMember.learner) return undefined
  // What was forgotten counts again when it has a leader.
  const isBack = etcdMember.id === forgotten && etcdMembers !== undefined
  if (etcdMember.id === noted && !isBack) return undefined
  return {
    steps: [{ do: 'noteMember', member: etcdMember.id }],
    ...(!isTrue(machine, 'Ready') && {
      ready: no('ComingUp', `the machine has become the member ${etcdMember.id} of etcd`),
    }),
    pace: 'soon',
  }
}

/** On its way: Talos says itself what it waits for. */
export const comingUp: Rule = (_machine, { seen }) =>
  seen.is !== 'member' || isUp(seen) ? undefined : onItsWay(seen)

const onItsWay = (seen: Member): Decision => ({
  state: 'Installing',
  ready: no('ComingUp', `the machine is ${whereItIs(seen)}`),
  pace: 'soon',
})

/** Whether Talos has done its part. */
export const isUp = ({ stage, isKubeletWell }: Member): boolean =>
  stage === 'running' && isKubeletWell

/** `booting, it waits for: …` */
export const whereItIs = ({ stage, unmet }: Member): string =>
  unmet.length > 0 ? `${stage}, it waits for: ${unmet.join('; ')}` : stage

/** A machine that has got another name is another node, and what it was stays for ever. */
export const formerNode: Rule = (machine, world) => {
  const [former] = world.formerNodes
  if (!former?.uid || world.seen.is !== 'member') return undefined
  const { state, ready } = asRunning(machine, world) ?? {}
  return {
    steps: [{ do: 'deleteNode', node: former.name, uid: former.uid }],
    ...(state && { state }),
    ...(ready && { ready }),
    pace: 'soon',
  }
}

/** It runs. What is left is what its cluster thinks of it. */
export const running: Rule = (machine, world) => asRunning(machine, world)

/** What is the matter with a machine that answers, if anything is. */
export function asRunning(
  machine: Machine,
  { seen, node, areNodesKnown }: Pick<World, 'seen' | 'node' | 'areNodesKnown'>,
): Decision | undefined {
  if (seen.is !== 'member') return undefined
  if (!isUp(seen)) return onItsWay(seen)
  const ready = nodeProblem(machine, { node, areNodesKnown }) ?? etcdProblem(seen)
  if (ready) return { state: 'Available', ready, pace: 'soon' }
  return { state: 'Available', pace: node ? 'settled' : 'soon' }
}

function nodeProblem(
  machine: Machine,
  { node, areNodesKnown }: Pick<World, 'node' | 'areNodesKnown'>,
): Verdict | undefined {
  if (node?.ready) return undefined
  if (node) return no('NodeNotReady', `its node ${node.name} is not ready: ${node.reason}`)
  // Who has just begun to look does not know better than who looked before.
  if (!areNodesKnown && isWell(machine)) return undefined
  return no('NodeMissing', 'its node is not in the cluster yet')
}

function etcdProblem({ type, etcdMember, etcdMembers }: Member): Verdict | undefined {
  if (type === 'controlplane' && !etcdMember) {
    return no('NoEtcdMember', 'it is no member of etcd yet')
  }
  if (type === 'controlplane' && !etcdMembers) {
    return no('NoEtcdLeader', 'its etcd knows no leader: most members do not answer')
  }
  return etcdMember?.learner
    ? no('EtcdLearner', 'its etcd still catches up, and has no vote yet')
    : undefined
}

/** Last of all: what it has in META counts at its next boot, and nothing else depends on it. */
export const metaDiffers: Rule = (machine, world) => {
  const { seen, wanted } = world
  if (seen.is !== 'member' || wanted.is !== 'known' || wanted.metaText === undefined) {
    return undefined
  }
  // What cannot be read back would be written for ever.
  if (seen.metaText === undefined || wanted.metaText === seen.metaText) return undefined
  const otherwise = asRunning(machine, world)
  if (!otherwise || otherwise.ready) return undefined
  return { ...otherwise, steps: [{ do: 'writeMeta', uuid: seen.uuid }], pace: 'soon' }
}
