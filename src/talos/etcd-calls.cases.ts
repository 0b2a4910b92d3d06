import { createHash } from 'node:crypto'
import { bytes, type Case, chunks, one, textsOf } from './call-case.cases.ts'
import { MachineService } from './generated/machine/machine_pb.ts'

const M = MachineService.method
const sum = createHash('sha256').update('onetwo').digest()

/** The calls about etcd. */
export const etcdCases: Case[] = [
  {
    name: 'bootstrap',
    method: M.bootstrap,
    call: (machine) => machine.bootstrap({ recover: true, skipHashCheck: true }),
    asked: [{ recoverEtcd: true, recoverSkipHashCheck: true }],
    answers: one(),
    result: undefined,
  },
  {
    name: 'sendSnapshot',
    method: M.etcdRecover,
    call: (machine) => machine.sendSnapshot(chunks('one', 'two')),
    asked: [bytes('one'), bytes('two')],
    answers: one(),
    result: undefined,
  },
  {
    name: 'etcd.members',
    method: M.etcdMemberList,
    call: (machine) => machine.etcd.members({ local: true }),
    asked: [{ queryLocal: true }],
    answers: one({
      members: [{ id: 2n ** 63n + 1n, hostname: 'a', peerUrls: ['p'], clientUrls: ['c'] }],
    }),
    result: [
      { id: 2n ** 63n + 1n, hostname: 'a', peerUrls: ['p'], clientUrls: ['c'], isLearner: false },
    ],
  },
  {
    name: 'etcd.leave',
    method: M.etcdLeaveCluster,
    call: (machine) => machine.etcd.leave(),
    asked: [{}],
    answers: one(),
    result: undefined,
  },
  {
    name: 'etcd.removeMember',
    method: M.etcdRemoveMemberByID,
    call: (machine) => machine.etcd.removeMember(2n ** 64n - 1n),
    asked: [{ memberId: 2n ** 64n - 1n }],
    answers: one(),
    result: undefined,
  },
  {
    name: 'etcd.forfeitLeadership',
    method: M.etcdForfeitLeadership,
    call: (machine) => machine.etcd.forfeitLeadership(),
    asked: [{}],
    answers: one({ member: 'b' }),
    result: 'b',
  },
  {
    name: 'etcd.status',
    method: M.etcdStatus,
    call: (machine) => machine.etcd.status(),
    asked: [{}],
    answers: one({
      memberStatus: {
        memberId: 7n,
        leader: 8n,
        protocolVersion: '3.6.0',
        dbSize: 10n,
        dbSizeInUse: 5n,
        raftTerm: 3n,
      },
    }),
    result: {
      memberId: 7n,
      leaderId: 8n,
      isLearner: false,
      protocolVersion: '3.6.0',
      storageVersion: '',
      errors: [],
      dbSizeBytes: 10,
      dbInUseBytes: 5,
      raftIndex: 0n,
      raftTerm: 3n,
      raftAppliedIndex: 0n,
    },
  },
  {
    name: 'etcd.alarms',
    method: M.etcdAlarmList,
    call: (machine) => machine.etcd.alarms(),
    asked: [{}],
    answers: one({ memberAlarms: [{ memberId: 7n, alarm: 1 }] }),
    result: [{ memberId: 7n, alarm: 'no-space' }],
  },
  {
    name: 'etcd.disarm',
    method: M.etcdAlarmDisarm,
    call: (machine) => machine.etcd.disarm(),
    asked: [{}],
    answers: one({ memberAlarms: [{ memberId: 7n, alarm: 2 }] }),
    result: [{ memberId: 7n, alarm: 'corrupt' }],
  },
  {
    name: 'etcd.defragment',
    method: M.etcdDefragment,
    call: (machine) => machine.etcd.defragment(),
    asked: [{}],
    answers: one(),
    result: undefined,
  },
  {
    name: 'etcd.snapshot',
    method: M.etcdSnapshot,
    call: (machine) => textsOf(machine.etcd.snapshot()),
    asked: [{}],
    answers: [
      bytes('one'),
      {},
      bytes('two'),
      { bytes: sum.subarray(0, 5) },
      { bytes: sum.subarray(5) },
    ],
    result: `onetwo${sum}`,
  },
]
