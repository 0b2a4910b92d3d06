import type { Caller, CallOptions } from '#talos/caller.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { onlyMessage } from './only-message.ts'

export interface BootstrapRequest {
  /** Begin with the snapshot that was sent before, instead of empty. */
  recover?: boolean
  /** The snapshot is a copy of the database file, and has no hash. */
  skipHashCheck?: boolean
}

/** The birth of a cluster, and its second one from a snapshot. */
export const bootstrapCalls = (caller: Caller) => ({
  /**
   * Begins a cluster's etcd on this machine; resolves when the machine has accepted. On a second machine
   * this makes a second cluster: Talos does not look. `already-done`: this machine has etcd's files.
   */
  async bootstrap(request: BootstrapRequest = {}, options?: CallOptions): Promise<void> {
    const { recover = false, skipHashCheck = false } = request
    const answer = await caller.ask(
      {
        method: MachineService.method.bootstrap,
        what: 'bootstrap',
        pace: 'change',
        options,
      },
      { recoverEtcd: recover, recoverSkipHashCheck: skipHashCheck },
    )
    onlyMessage(caller, answer)
  },

  /** Sends a snapshot, from which `bootstrap` with `recover` then begins. */
  async sendSnapshot(snapshot: AsyncIterable<Uint8Array>, options?: CallOptions): Promise<void> {
    const answer = await caller.upload(
      {
        method: MachineService.method.etcdRecover,
        what: 'send a snapshot of etcd to',
        pace: 'stream',
        options,
      },
      inMessages(snapshot),
    )
    onlyMessage(caller, answer)
  },
})

// As large as the machine's own client sends them; whatever comes is cut or passed on.
const LARGEST_CHUNK = 64 * 1024

async function* inMessages(snapshot: AsyncIterable<Uint8Array>) {
  for await (const bytes of snapshot) {
    for (let start = 0; start < bytes.length; start += LARGEST_CHUNK) {
      yield { bytes: bytes.subarray(start, start + LARGEST_CHUNK) }
    }
  }
}
