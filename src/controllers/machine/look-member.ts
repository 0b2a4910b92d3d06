import { orNothing, uuidOf } from '#engine/machine-identity.ts'
import { configFingerprint } from '#engine/wanted-config.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { META_METAL_NETWORK } from '#machineconfig/generate/meta-values.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import type { BoundMachine, TalosMachine } from '#talos/machine.ts'
import { outcomeOf } from '#talos/outcome.ts'
import type { Member } from './world.ts'

/** A machine of the cluster, as it says itself that it is. */
export const lookAtMember = (machine: TalosMachine, signal: AbortSignal): Promise<Member> =>
  machine.bound((same) => memberOf(same, signal))

async function memberOf(machine: BoundMachine, signal: AbortSignal): Promise<Member> {
  const options = { signal }
  const { state, cluster } = machine
  const uuid = await uuidOf(machine, signal)
  const [{ version }, status, type, hostname, addresses, services, fingerprint, meta] =
    await Promise.all([
      machine.version(options),
      state.status(options),
      state.machineType(options),
      cluster.nodename(options),
      cluster.nodeAddresses('current', options),
      state.services(options),
      fingerprintOf(machine, signal),
      orNothing(state.metaKeys(options)),
    ])
  return {
    is: 'member',
    ...{ uuid, version, hostname, fingerprint },
    stage: status?.stage ?? 'unknown',
    isReady: status?.isReady ?? false,
    unmet: (status?.unmetConditions ?? []).map(({ name, reason }) => `${name} (${reason})`).sort(),
    type: type === 'controlplane' || type === 'worker' ? type : undefined,
    addresses: addresses.map((prefix) => prefix.replace(/\/.*/, '')),
    ...(type === 'controlplane' ? await etcdOf(machine, signal) : NO_ETCD),
    healthy: services.filter(isWell).map(({ id }) => id),
    metaText: meta && (meta.get(META_METAL_NETWORK) ?? ''),
  }
}

const NO_ETCD = { etcdMember: undefined, hasEtcdLeader: false }

const isWell = ({
  running,
  healthy,
  unknown,
}: {
  running: boolean
  healthy?: boolean
  unknown?: boolean
}) => running && (healthy === true || unknown === true)

/** Of what it has, not of what it was sent. Undefined: it cannot be read, so nobody can compare it. */
async function fingerprintOf(machine: BoundMachine, signal: AbortSignal) {
  const found = await machine.state.configuration('v1alpha1', { signal })
  if (!found) return undefined
  try {
    return configFingerprint(readConfig(found.text.open()))
  } catch (error) {
    // Of a newer Talos, perhaps. Not to understand it must keep nobody from looking at the rest.
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

async function etcdOf(machine: BoundMachine, signal: AbortSignal) {
  const id = await orNothing(machine.cluster.etcdMemberId({ signal }))
  if (id === undefined) return { etcdMember: undefined, hasEtcdLeader: false }
  const members = await membersOf(machine, signal)
  const isLearner = members?.find((member) => member.id === id)?.isLearner ?? false
  return {
    etcdMember: { id: id.toString(16).padStart(16, '0'), learner: isLearner },
    hasEtcdLeader: members !== undefined,
  }
}

/** Etcd without a leader does not tell. */
async function membersOf(machine: BoundMachine, signal: AbortSignal) {
  try {
    return await machine.etcd.members({ local: true }, { signal })
  } catch (error) {
    if (outcomeOf(error) === undefined) throw error
    return undefined
  }
}
