import type { Clock } from '#base/clock.ts'
import { withDeadline } from '#base/deadline.ts'
import { OperatorError } from '#base/operator-error.ts'
import { channelLine, connectChannel, openChannel } from './channel.ts'
import { dialFailure } from './dial-failure.ts'
import { DialPatience } from './dial-patience.ts'
import type { Dial, Line } from './line.ts'
import type { MachineCredentials } from './machine-credentials.ts'
import { type MachineTarget, wordsFor } from './machine-target.ts'
import { SecureContexts } from './secure-contexts.ts'
import { clusterTrust, maintenanceTrust } from './trust.ts'

// The certificate of a machine in maintenance mode may be renewed between looking and dialling.
const TRIES = 2

interface Surroundings {
  clock: Clock
  /** How long a machine may take until it can be asked something, unless all of them take long. */
  dialMs: number
}

/** Dials machines over the network: TLS, and gRPC on it. */
export function networkDial({ clock, dialMs }: Surroundings): Dial {
  const contexts = new SecureContexts()
  const patience = new DialPatience(dialMs)
  return async (target, signal) => {
    const where = wordsFor(target)
    const { deadlineMs } = patience
    const startMs = clock.monotonicMs()
    try {
      const line = await withDeadline({ clock, deadlineMs, signal }, (inTime) => {
        const { access } = target
        if (access.kind === 'maintenance') {
          const look = () => maintenanceTrust({ target, access, clock, where }, inTime)
          return tried(target, look, inTime)
        }
        return connected(target, clusterTrust(contexts, target.address, access), inTime)
      })
      patience.took(clock.monotonicMs() - startMs)
      return line
    } catch (error) {
      if (signal.aborted) throw signal.reason
      // Not of this machine: its credentials or its address cannot be used at all.
      if (error instanceof OperatorError && error.code === 'ValidationError') throw error
      throw await withDeadline({ clock, deadlineMs, signal }, (inTime) =>
        dialFailure({ target, where }, error, inTime),
      )
    }
  }
}

async function tried(
  target: MachineTarget,
  look: () => Promise<MachineCredentials>,
  signal: AbortSignal,
): Promise<Line> {
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
): Promise<Line> {
  const client = openChannel(target, trust)
  try {
    await connectChannel(client, signal)
    trust.seal()
    return channelLine(client)
  } catch (error) {
    client.close()
    trust.abandon()
    throw error
  }
}
