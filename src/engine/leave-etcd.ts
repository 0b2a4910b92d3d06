import { ETCD_MEMBER } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { EtcdMember } from '#talos/calls/etcd-members.ts'
import { MachineError, outcomeOf } from '#talos/outcome.ts'
import { hexId, quorumOf } from './etcd-members.ts'
import { type Asking, asPeer, memberIn, type Peer, to } from './etcd-peers.ts'
import { unlessFailed } from './machine-identity.ts'

interface Departure extends Asking {
  /** The one that goes. */
  machine: Machine
  /** The others of its control plane. */
  others: readonly Machine[]
}

/**
 * Takes a machine's member out of etcd. All machines are asked first, as they are now and not as they were seen: it goes
 * only if those that remain are a majority. It is asked to leave itself if it answers, and otherwise one of the others is asked
 * to remove it. Resolves to a machine whose etcd goes on, when nobody lists the member any more; repeated, it does nothing more.
 */
export async function leaveEtcd(departure: Departure): Promise<Machine> {
  const [own, ...peers] = await Promise.all([
    ownMember(departure),
    ...departure.others.map((one) => asPeer(departure, one)),
  ])
  const known = peers.filter((peer) => peer !== undefined)
  const listed = known.flatMap(({ members }) => members)
  const others = new Set([
    ...known.map(({ member }) => hexId(member)),
    ...departure.others.map(notedOn),
  ])
  const going = new Set(
    listed.filter((one) => isOf(one, departure.machine, { own, others })).map(({ id }) => id),
  )
  const voters = new Set(listed.filter(({ isLearner }) => !isLearner).map(({ id }) => id))
  const staying = new Set([...voters].filter((id) => !going.has(id)))
  const well = known.filter(({ member }) => staying.has(member))
  const wellIds = new Set(well.map(({ member }) => member))
  const [peer] = well
  if (!peer || wellIds.size < quorumOf(staying.size))
    throw tooFew(departure, wellIds.size, staying.size)
  if (going.size === 0) return peer.machine
  if (own !== undefined && going.has(own)) await askToLeave(departure)
  if (await isListed(departure, peer, going)) await removeThrough(departure, peer, [...going])
  await assertGone(departure, peer, going)
  return peer.machine
}

/** Its member as it says itself; undefined if it has none, or does not answer as the one that it is to be. */
const ownMember = (departure: Departure): Promise<bigint | undefined> =>
  unlessFailed(to(departure, departure.machine, (same) => memberIn(same, departure.signal)))

const notedOn = ({ metadata, status }: Machine): string | undefined =>
  metadata.annotations?.[ETCD_MEMBER] ?? status?.etcdMember?.id

/**
 * By its id, or because it has joined again since that was written down. An address may have become another machine's:
 * by that nobody is meant who is known to be another one's.
 */
function isOf(
  member: EtcdMember,
  machine: Machine,
  known: { own: bigint | undefined; others: ReadonlySet<string | undefined> },
): boolean {
  const id = hexId(member.id)
  if (member.id === known.own || id === notedOn(machine)) return true
  const { endpoint = '' } = machine.spec ?? {}
  const host = endpoint.includes(':') ? `[${endpoint}]` : endpoint
  const isThere = member.peerUrls.some((url) => url.startsWith(`https://${host}:`))
  return isThere && !known.others.has(id)
}

// Talos goes on trying for minutes. Whoever has not left by then is removed.
const [FORFEIT_MS, LEAVE_MS] = [5_000, 20_000]

/** A leader gives that up first, so that nobody waits for an election. What came of it is seen in the list. */
async function askToLeave(departure: Departure): Promise<void> {
  const { signal } = departure
  await unlessFailed(
    to(departure, departure.machine, async (same) => {
      await unlessFailed(same.etcd.forfeitLeadership({ signal, deadlineMs: FORFEIT_MS }))
      await same.etcd.leave({ signal, deadlineMs: LEAVE_MS })
    }),
  )
}

async function removeThrough(
  departure: Departure,
  { machine }: Peer,
  members: readonly bigint[],
): Promise<void> {
  const { signal } = departure
  for (const id of members) {
    await to(departure, machine, (same) => unlessDone(same.etcd.removeMember(id, { signal })))
  }
}

async function isListed(
  departure: Departure,
  { machine }: Peer,
  members: ReadonlySet<bigint>,
): Promise<boolean> {
  const { signal } = departure
  const listed = await to(departure, machine, (same) =>
    same.etcd.members({ local: true }, { signal }),
  )
  return listed.some(({ id }) => members.has(id))
}

/** Until nobody lists it any more, it is not done. */
async function assertGone(
  departure: Departure,
  peer: Peer,
  going: ReadonlySet<bigint>,
): Promise<void> {
  if (!(await isListed(departure, peer, going))) return
  throw new MachineError({
    outcome: 'not-ready',
    message: `${departure.machine.metadata.name} is still a member of etcd, as ${peer.machine.metadata.name} says`,
  })
}

const tooFew = ({ machine }: Departure, well: number, of: number): MachineError =>
  new MachineError({
    outcome: 'not-ready',
    message: `${machine.metadata.name} is not taken out of etcd: of the ${of} members that would remain ${well} are well, and ${quorumOf(of)} are needed`,
  })

async function unlessDone(asked: Promise<void>): Promise<void> {
  try {
    await asked
  } catch (error) {
    if (outcomeOf(error) !== 'already-done') throw error
  }
}
