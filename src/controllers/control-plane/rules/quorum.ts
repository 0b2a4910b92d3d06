import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/control-plane/decision.ts'
import { areSettled, hasLeft, isMember } from '#controllers/control-plane/machine-facts.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { type EtcdSeen, etcdSeen, isVoterWell, memberOf } from '#engine/etcd-members.ts'
import { stuck } from '#engine/stuck.ts'
import { deliverySteps } from './health.ts'

/** Nothing that the operator could do brings a majority back: only its machines can, or a person. */
export const quorumLost: Rule = (_controlPlane, { machines, due }) => {
  const staying = machines.filter((machine) => !hasLeft(machine))
  const etcd = etcdSeen(staying)
  if (etcd.isListed || etcd.voters.length === 0) return undefined
  const voting = staying.filter((machine) => memberOf(machine).length > 0)
  const gone = voting.filter(isKnownSilent)
  if (etcd.voters.length - gone.length >= etcd.quorum) return undefined
  const left = voting.filter((machine) => !gone.includes(machine))
  return {
    steps: deliverySteps(due),
    state: 'Bootstrapped',
    ready: stuck('QuorumLost', [whatIsLost(etcd, gone, left), wayOut(left)].join(' ')),
  }
}

/** Members that no object stands for count for the quorum, and nobody takes them out: a person has to say whose they are. */
export function unknownMembers({ machines }: Pick<World, 'machines'>) {
  // One that is on its way may be a member before it is seen to be.
  const isSettled = areSettled(machines)
  const { voters, isListed } = etcdSeen(machines)
  const through = machines.find(isVoterWell)?.spec?.endpoint
  return voters
    .filter(({ machine }) => isSettled && isListed && machine === undefined)
    .map(({ id, name = '' }) => ({
      reason: 'UnknownEtcdMember',
      message: `the member ${id} (${name}) of etcd belongs to no TalosMachine, and counts for its majority all the same. If its machine is gone for good: \`talosctl -e ${through} -n ${through} etcd remove-member ${id}\``,
    }))
}

/** Looked at, and without an answer. One that nobody has looked at yet may be well. */
const isKnownSilent = ({ status }: Machine): boolean =>
  (status?.conditions ?? []).some((one) => one.type === 'Reachable' && one.status === 'False')

export const namesOf = (machines: readonly Machine[]): string =>
  machines
    .map(({ metadata }) => metadata.name)
    .sort()
    .join(', ')

const whatIsLost = (
  { voters, quorum }: EtcdSeen,
  gone: readonly Machine[],
  left: readonly Machine[],
): string =>
  `etcd has lost its majority: of ${voters.length} ${voters.length === 1 ? 'member' : 'members'} ${quorum} ${quorum === 1 ? 'is' : 'are'} needed, and ${namesOf(gone)} does not answer${left.length > 0 ? ` (${namesOf(left)} does)` : ''}. Switch on what is off: nothing else is needed, and nothing is done to any machine meanwhile.`

/** In the words of talosctl, for the machine that is left. */
function wayOut(left: readonly Machine[]): string {
  const [first] = sorted(left)
  if (!first) {
    return 'If its data is lost for good, etcd has to be recovered from a snapshot, see docs/guides/lost-quorum.md.'
  }
  const holding = sorted(left.filter(isMember))
  const [from] = holding
  if (!from) {
    return `If the others are lost for good: ${namesOf(left)} runs no etcd. It still boots, or was emptied so that etcd can be recovered. Once \`${at(first)} service etcd\` says Preparing, begin anew from the copy that was made before, see docs/guides/lost-quorum.md: \`${at(first)} ${RECOVER}\`.`
  }
  return [
    'If the others are lost for good, recover etcd by hand from what is left, see docs/guides/lost-quorum.md:',
    `\`${at(from)} cp /var/lib/etcd/member/snap/db .\`, then ${holding.map(emptying).join(', ')},`,
    `then \`${at(from)} ${RECOVER}\`.`,
  ].join(' ')
}

const RECOVER = 'bootstrap --recover-from=./db --recover-skip-hash-check'

const at = ({ spec }: Machine): string => `talosctl -e ${spec?.endpoint} -n ${spec?.endpoint}`

/** What takes the data of etcd off a machine, and leaves it its configuration. */
export const emptying = (machine: Machine): string =>
  `\`${at(machine)} reset --graceful=false --reboot --system-labels-to-wipe=EPHEMERAL\``

const sorted = (machines: readonly Machine[]): Machine[] =>
  [...machines].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
