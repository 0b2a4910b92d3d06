import { hexId } from '#engine/etcd-members.ts'
import { orNothing, unlessFailed, uuidOf } from '#engine/machine-identity.ts'
import { META_METAL_NETWORK } from '#machineconfig/generate/meta-values.ts'
import type { BoundMachine, TalosMachine } from '#talos/machine.ts'
import type { ConfigFingerprints } from './config-fingerprints.ts'
import { bootOf } from './look-boot.ts'
import type { Member } from './world.ts'

/** A machine of the cluster, as it says itself that it is. */
export const lookAtMember = (machine: TalosMachine, by: Means): Promise<Member> =>
  machine.bound((same) => memberOf(same, by), { isLast: (seen) => by.isSettled && isWell(seen) })

/** As long as it is, the next look is minutes away. */
const isWell = (member: Member): boolean => isUpAndReady(member) && member.isKubeletWell

interface Means {
  fingerprints: ConfigFingerprints
  readsMeta: boolean
  /** Whether anybody wants to know what it booted. */
  readsBoot: boolean
  isSettled: boolean
  signal: AbortSignal
}

async function memberOf(
  machine: BoundMachine,
  { fingerprints, readsMeta, readsBoot, signal }: Means,
): Promise<Member> {
  const options = { signal }
  const { state, cluster } = machine
  const uuid = await uuidOf(machine, signal)
  const [{ version }, status, hostname, addresses, config, metaText] = await Promise.all([
    machine.version(options),
    state.status(options),
    cluster.nodename(options),
    cluster.nodeAddresses('current', options),
    state.configuration('v1alpha1', options),
    readsMeta ? metaTextOf(machine, signal) : undefined,
  ])
  // Of what it has, not of what it was sent.
  const has = config && fingerprints.of(config.text)
  const type = typeIn(has?.type) ?? typeIn(await state.machineType(options))
  return {
    is: 'member',
    ...{ uuid, version, hostname },
    config: config?.text,
    fingerprint: has?.fingerprint,
    kubernetes: has?.kubernetes,
    stage: status?.stage ?? 'unknown',
    isReady: status?.isReady ?? false,
    unmet: (status?.unmetConditions ?? []).map(({ name, reason }) => `${name} (${reason})`).sort(),
    type,
    addresses: addresses.map((prefix) => prefix.replace(/\/.*/, '')),
    ...(type === 'controlplane' ? await etcdOf(machine, signal) : NO_ETCD),
    isKubeletWell: isUpAndReady(status) || (await isKubeletUp(machine, signal)),
    boot: readsBoot ? await bootOf(machine, has?.installer, signal) : undefined,
    metaText,
  }
}

const typeIn = (text: string | undefined): Member['type'] =>
  text === 'controlplane' || text === 'worker' ? text : undefined

const NO_ETCD = { etcdMember: undefined, etcdMembers: undefined }

/** One that is has all its services running, and none unhealthy. At other stages to be ready says nothing. */
const isUpAndReady = (status: { stage: string; isReady: boolean } | undefined): boolean =>
  status?.stage === 'running' && status.isReady

/** Asked only of a machine that does not say so by being ready. */
async function isKubeletUp({ state }: BoundMachine, signal: AbortSignal): Promise<boolean> {
  const kubelet = await state.service('kubelet', { signal })
  return kubelet?.running === true && (kubelet.healthy === true || kubelet.unknown === true)
}

/** Empty if nothing is there; undefined where it cannot be asked for. */
const metaTextOf = ({ state }: BoundMachine, signal: AbortSignal): Promise<string | undefined> =>
  orNothing(state.metaKey(META_METAL_NETWORK, { signal }).then((text) => text ?? ''))

async function etcdOf(machine: BoundMachine, signal: AbortSignal) {
  const own = await orNothing(machine.cluster.etcdMemberId({ signal }))
  if (own === undefined) return NO_ETCD
  const id = hexId(own)
  const etcdMembers = await membersOf(machine, signal)
  const learner = etcdMembers?.find((member) => member.id === id)?.learner ?? false
  return { etcdMember: { id, learner }, etcdMembers }
}

/** Etcd without a leader does not tell. */
async function membersOf(machine: BoundMachine, signal: AbortSignal) {
  const members = await unlessFailed(machine.etcd.members({ local: true }, { signal }))
  return members
    ?.map(({ id, hostname, isLearner }) => ({ id: hexId(id), name: hostname, learner: isLearner }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}
