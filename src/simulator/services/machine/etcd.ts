import type { EtcdMember, MemberAlarm } from '#simulator/etcd/etcd-member.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { chunks } from '#simulator/services/chunks.ts'
import { controlPlaneOnly } from '#simulator/services/control-plane-only.ts'
import { minorOf } from '#simulator/services/minor-of.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import { EtcdMemberAlarm_AlarmType } from '#talos/generated/machine/etcd_pb.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'

// Nobody has a snapshot that is larger: etcd stops at 8 GiB, and this is a simulation of small clusters.
const LARGEST_SNAPSHOT = 256 * 1024 * 1024

/** etcd of a machine. */
export const etcd: Answers<typeof MachineService> = {
  etcdMemberList: ({ queryLocal }, { machine }) => {
    const asked = queryLocal ? voterOf(machine, 'member list') : anyOf(machine, 'member list')
    const members = asked.members()
    return {
      messages: [
        {
          legacyMembers: members.map(({ name }) => name),
          members: members.map((member) => ({
            id: member.id,
            hostname: member.name,
            peerUrls: [...member.peerUrls],
            clientUrls: [...member.clientUrls],
            isLearner: member.isLearner,
          })),
        },
      ],
    }
  },
  etcdRemoveMemberByID: ({ memberId }, { machine }) => {
    anyOf(machine, 'etcd remove member').removeMember(memberId)
    return { messages: [{}] }
  },
  etcdLeaveCluster: (_, { machine }) => {
    memberOf(machine, 'etcd leave').leave()
    return { messages: [{}] }
  },
  etcdForfeitLeadership: (_, { machine }) => ({
    messages: [{ member: memberOf(machine, 'etcd forfeit leadership').forfeitLeadership() }],
  }),
  etcdSnapshot: async function* (_, { machine }) {
    yield* chunks(await memberOf(machine, 'etcd snapshot').snapshot())
  },
  etcdRecover: async (requests, { machine }) => {
    controlPlaneOnly(machine, 'etcd recover')
    const parts: Uint8Array[] = []
    let size = 0
    for await (const { bytes } of requests) {
      size += bytes.length
      if (size > LARGEST_SNAPSHOT) {
        throw new Refusal('Unknown', 'error writing snapshot: no space left on device')
      }
      parts.push(bytes)
    }
    machine.receiveSnapshot(Buffer.concat(parts))
    return { messages: [{}] }
  },
  etcdAlarmList: (_, { machine }) => ({
    messages: [{ memberAlarms: memberOf(machine, 'etcd alarm list').alarms().map(alarm) }],
  }),
  etcdAlarmDisarm: (_, { machine }) => ({
    messages: [{ memberAlarms: memberOf(machine, 'etcd alarm disarm').disarm().map(alarm) }],
  }),
  etcdDefragment: (_, { machine }) => {
    memberOf(machine, 'etcd defragment').defragment()
    return { messages: [{}] }
  },
  etcdStatus: (_, { machine }) => {
    const { dbBytes, dbBytesInUse, storageVersion, errors, ...status } = memberOf(
      machine,
      'etcd status',
    ).status()
    const memberStatus = { ...status, dbSize: dbBytes, dbSizeInUse: dbBytesInUse }
    const since = minorOf(machine) >= 11 ? { storageVersion } : {}
    return { messages: [{ memberStatus: { ...memberStatus, ...since, errors: [...errors] } }] }
  },
}

/** The member that runs on a machine. Refuses on workers, and while there is none. */
export function memberOf(machine: Machine, api: string): EtcdMember {
  controlPlaneOnly(machine, api)
  if (!machine.etcd) throw unanswered()
  return machine.etcd
}

/** Some member that a control plane finds: it need not have one of its own for calls about all of etcd. */
function anyOf(machine: Machine, api: string): EtcdMember {
  controlPlaneOnly(machine, api)
  const member = [machine.etcd, machine.clusterEtcd].find((one) => one && !one.status().isLearner)
  if (!member) throw unanswered()
  return member
}

/** The member of a machine, for what etcd answers only to those who ask one with a vote. */
function voterOf(machine: Machine, api: string): EtcdMember {
  const member = memberOf(machine, api)
  if (!member.status().isLearner) return member
  throw new Refusal('Unknown', 'etcdserver: rpc not supported for learner')
}

const unanswered = (): Refusal =>
  new Refusal(
    'Unknown',
    'failed to create etcd client: error building etcd client: context deadline exceeded',
  )

const alarm = ({ memberId, alarm: type }: MemberAlarm) => ({
  memberId,
  alarm: EtcdMemberAlarm_AlarmType[type],
})
