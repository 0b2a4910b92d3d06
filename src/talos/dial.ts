import type { Clock } from '#base/clock.ts'
import { withDeadline } from '#base/deadline.ts'
import { OperatorError } from '#base/operator-error.ts'
import { dialFailure } from './dial-failure.ts'
import { DialPatience } from './dial-patience.ts'
import { http2Line } from './http2-line.ts'
import type { Dial, Line } from './line.ts'
import { type MachineTarget, wordsFor } from './machine-target.ts'
import { SecureContexts } from './secure-contexts.ts'
import { type Demands, tlsSocket } from './tls-socket.ts'
import { clusterTrust, maintenanceTrust } from './trust.ts'

interface Surroundings {
  clock: Clock
  /** How long a machine may take until it can be asked something, unless all of them take long. */
  dialMs: number
}

/** Dials machines over the network: TLS, and gRPC on it. */
export function networkDial({ clock, dialMs }: Surroundings): Dial {
  const contexts = new SecureContexts(clock)
  const patience = new DialPatience(dialMs)
  return async (target, signal) => {
    const where = wordsFor(target)
    const { deadlineMs } = patience
    const startMs = clock.monotonicMs()
    try {
      const line = await withDeadline({ clock, deadlineMs, signal }, (inTime) => {
        const { address, access } = target
        const demands =
          access.kind === 'cluster'
            ? clusterTrust(contexts, address, access)
            : maintenanceTrust(access, clock)
        return connected(target, demands, inTime)
      })
      patience.took(clock.monotonicMs() - startMs)
      return line
    } catch (error) {
      if (signal.aborted) throw signal.reason
      // Not of this machine: its credentials or its address cannot be used at all.
      if (error instanceof OperatorError && error.code === 'ValidationError') throw error
      const isInMaintenance = (inTime: AbortSignal) => answersAnyone(target, clock, inTime)
      throw await withDeadline({ clock, deadlineMs, signal }, (inTime) =>
        dialFailure({ target, where, isInMaintenance }, error, inTime),
      )
    }
  }
}

const connected = async (
  target: MachineTarget,
  demands: Demands,
  signal: AbortSignal,
): Promise<Line> => http2Line(await tlsSocket(target, demands, signal), signal)

/** A machine that lets in who has no certificate is in maintenance mode. Nothing is said to it. */
async function answersAnyone(
  target: MachineTarget,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const line = await connected(target, maintenanceTrust({ kind: 'maintenance' }, clock), signal)
    line.close()
    return true
  } catch {
    return false
  }
}
