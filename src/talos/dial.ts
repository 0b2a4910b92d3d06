import type { Client } from '@grpc/grpc-js'
import type { Clock } from '#base/clock.ts'
import { withDeadline } from '#base/deadline.ts'
import { OperatorError } from '#base/operator-error.ts'
import { connectChannel, openChannel } from './channel.ts'
import { dialFailure } from './dial-failure.ts'
import type { MachineCredentials } from './machine-credentials.ts'
import { type MachineTarget, wordsFor } from './machine-target.ts'
import type { SecureContexts } from './secure-contexts.ts'
import { clusterTrust, maintenanceTrust } from './trust.ts'

// The certificate of a machine in maintenance mode may be renewed between looking and dialling.
const TRIES = 2

interface Surroundings {
  clock: Clock
  contexts: SecureContexts
  /** How long a machine may take until it can be asked something. */
  dialMs: number
}

/** A connected channel to a machine that is who it should be. Throws a MachineError otherwise. */
export async function dial(
  target: MachineTarget,
  { clock, contexts, dialMs }: Surroundings,
  signal: AbortSignal,
): Promise<Client> {
  const where = wordsFor(target)
  try {
    return await withDeadline({ clock, deadlineMs: dialMs, signal }, (inTime) => {
      const { access } = target
      if (access.kind === 'maintenance') {
        const look = () => maintenanceTrust({ target, access, clock, where }, inTime)
        return tried(target, look, inTime)
      }
      return connected(target, clusterTrust(contexts, target.address, access), inTime)
    })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    // Not of this machine: its credentials or its address cannot be used at all.
    if (error instanceof OperatorError && error.code === 'ValidationError') throw error
    throw await withDeadline({ clock, deadlineMs: dialMs, signal }, (inTime) =>
      dialFailure({ target, where }, error, inTime),
    )
  }
}

async function tried(
  target: MachineTarget,
  look: () => Promise<MachineCredentials>,
  signal: AbortSignal,
): Promise<Client> {
  for (let left = TRIES; ; left--) {
    const trust = await look()
    try {
      return await connected(target, trust, signal)
    } catch (error) {
      if (left === 1 || signal.aborted) throw error
    }
  }
}

async function connected(
  target: MachineTarget,
  trust: MachineCredentials,
  signal: AbortSignal,
): Promise<Client> {
  const client = openChannel(target, trust)
  try {
    await connectChannel(client, signal)
    return client
  } catch (error) {
    client.close()
    trust.abandon()
    throw error
  }
}
