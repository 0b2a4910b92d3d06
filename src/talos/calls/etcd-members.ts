import type { Caller, CallOptions } from '#talos/caller.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { status } from '#talos/status.ts'
import { onlyMessage } from './only-message.ts'

export interface EtcdMember {
  id: bigint
  hostname: string
  peerUrls: string[]
  clientUrls: string[]
  /** Whether it follows and does not vote yet. */
  isLearner: boolean
}

/** Who is in the etcd cluster. Machines that are no control plane do not support these calls. */
export const etcdMemberCalls = (caller: Caller) => ({
  /** All members. As this machine's own member knows them if `local`, else as any of them does. */
  async members({ local = false } = {}, options?: CallOptions): Promise<EtcdMember[]> {
    const what = 'list the etcd members of'
    const method = MachineService.method.etcdMemberList
    const answer = await caller.ask({ method, what, pace: 'read', options }, { queryLocal: local })
    return onlyMessage(caller, answer).members.map(
      ({ id, hostname, peerUrls, clientUrls, isLearner }) => ({
        id,
        hostname,
        peerUrls,
        clientUrls,
        isLearner,
      }),
    )
  },

  /** Makes this machine's member leave, and empties its folder. Resolves when it has. */
  async leave(options?: CallOptions): Promise<void> {
    const method = MachineService.method.etcdLeaveCluster
    const what = 'make etcd leave its cluster on'
    onlyMessage(caller, await caller.ask({ method, what, pace: 'slow', options }, {}))
  },

  /** Removes any member. `already-done`: there is none of this id. */
  async removeMember(id: bigint, options?: CallOptions): Promise<void> {
    const answer = await caller.ask(
      {
        method: MachineService.method.etcdRemoveMemberByID,
        what: `remove the etcd member ${id.toString(16)} through`,
        pace: 'change',
        alreadyDone: [status.NOT_FOUND],
        options,
      },
      { memberId: id },
    )
    onlyMessage(caller, answer)
  },

  /** Gives the leadership away. Resolves to the new leader; to undefined if it did not lead. */
  async forfeitLeadership(options?: CallOptions): Promise<string | undefined> {
    const method = MachineService.method.etcdForfeitLeadership
    const what = 'make etcd give up its leadership on'
    const answer = await caller.ask({ method, what, pace: 'change', options }, {})
    return onlyMessage(caller, answer).member || undefined
  },
})
