import type { Caller, CallOptions } from '#talos/caller.ts'
import {
  type EtcdMemberAlarm,
  EtcdMemberAlarm_AlarmType,
} from '#talos/generated/machine/etcd_pb.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { MachineError } from '#talos/outcome.ts'
import { bytesOf } from './byte-stream.ts'
import { onlyMessage } from './only-message.ts'
import { wholeSnapshot } from './whole-snapshot.ts'

export interface EtcdStatus {
  memberId: bigint
  /** 0: there is none. */
  leaderId: bigint
  isLearner: boolean
  protocolVersion: string
  /** Since v1.11; empty before. */
  storageVersion: string
  dbSizeBytes: number
  dbInUseBytes: number
  raftIndex: bigint
  raftTerm: bigint
  raftAppliedIndex: bigint
  errors: string[]
}

export interface EtcdAlarm {
  memberId: bigint
  alarm: 'none' | 'no-space' | 'corrupt'
}

/** The database of a machine's etcd member. Machines that are no control plane do not support these calls. */
export const etcdDatabaseCalls = (caller: Caller) => ({
  async status(options?: CallOptions): Promise<EtcdStatus> {
    const method = MachineService.method.etcdStatus
    const what = 'read the etcd status of'
    const answer = await caller.ask({ method, what, pace: 'read', options }, {})
    const { memberStatus } = onlyMessage(caller, answer)
    if (!memberStatus) {
      throw new MachineError({ message: `${caller.where} sent no etcd status`, outcome: 'lost' })
    }
    const { leader, dbSize, dbSizeInUse, ...rest } = memberStatus
    const { memberId, isLearner, protocolVersion, storageVersion, errors } = rest
    const { raftIndex, raftTerm, raftAppliedIndex } = rest
    return {
      ...{ memberId, leaderId: leader, isLearner, protocolVersion, storageVersion, errors },
      ...{ dbSizeBytes: Number(dbSize), dbInUseBytes: Number(dbSizeInUse) },
      ...{ raftIndex, raftTerm, raftAppliedIndex },
    }
  },

  async alarms(options?: CallOptions): Promise<EtcdAlarm[]> {
    const method = MachineService.method.etcdAlarmList
    const what = 'list the etcd alarms of'
    const answer = await caller.ask({ method, what, pace: 'read', options }, {})
    return onlyMessage(caller, answer).memberAlarms.map(alarmOf)
  },

  /** Ends all alarms. Resolves to those that there were. */
  async disarm(options?: CallOptions): Promise<EtcdAlarm[]> {
    const method = MachineService.method.etcdAlarmDisarm
    const what = 'end the etcd alarms of'
    const answer = await caller.ask({ method, what, pace: 'change', options }, {})
    return onlyMessage(caller, answer).memberAlarms.map(alarmOf)
  },

  /** Makes the database small. The member answers nobody in the meantime: one at a time. */
  async defragment(options?: CallOptions): Promise<void> {
    const method = MachineService.method.etcdDefragment
    const what = 'defragment etcd on'
    onlyMessage(caller, await caller.ask({ method, what, pace: 'slow', options }, {}))
  },

  /**
   * The database as it is: bytes that end with their SHA-256. Throws `lost` if it stops half-way, after
   * what has arrived: that is no snapshot.
   */
  snapshot(options?: CallOptions): AsyncIterable<Uint8Array> {
    const method = MachineService.method.etcdSnapshot
    const what = 'take a snapshot of etcd on'
    const bytes = bytesOf(caller, { method, what, pace: 'stream', options }, {})
    return wholeSnapshot(caller.where, bytes)
  },
})

const ALARMS: Record<EtcdMemberAlarm_AlarmType, EtcdAlarm['alarm']> = {
  [EtcdMemberAlarm_AlarmType.NONE]: 'none',
  [EtcdMemberAlarm_AlarmType.NOSPACE]: 'no-space',
  [EtcdMemberAlarm_AlarmType.CORRUPT]: 'corrupt',
}

const alarmOf = ({ memberId, alarm }: EtcdMemberAlarm): EtcdAlarm => ({
  memberId,
  // One that is newer than we are.
  alarm: ALARMS[alarm] ?? 'corrupt',
})
