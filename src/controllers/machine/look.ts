import { OperatorError } from '#base/operator-error.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import type { ClusterAccess, MachineTarget } from '#talos/machine-target.ts'
import { MachineError, outcomeOf } from '#talos/outcome.ts'
import type { ConfigFingerprints } from './config-fingerprints.ts'
import { lookAtMember } from './look-member.ts'
import { lookAtWaiting } from './look-waiting.ts'
import type { Seen } from './world.ts'

/** Whom to look for, and how. */
export interface Look {
  machines: TalosMachines
  fingerprints: ConfigFingerprints
  address: string
  /** Fetches the keys of the cluster; undefined while there are none. Called only if they are needed. */
  access: () => Promise<ClusterAccess | undefined>
  /** Whether anybody wants to know what is in META. */
  readsMeta: boolean
  /** Whether anybody wants to know what it booted. */
  readsBoot: boolean
  /** Whether the machine was configured by this object. */
  isClaimed: boolean
  /** Whether it has been well for a while, so that nobody needs a connection to it after this look. */
  isSettled: boolean
  signal: AbortSignal
}

/**
 * Who answers at the address. A machine that is ours is asked as one of the cluster, another one as one
 * that waits; whoever turns out to be the other of the two is asked as such. Nothing is changed.
 */
export async function look(at: Look): Promise<Seen> {
  if (at.isClaimed) {
    const access = await at.access()
    if (!access) return { is: 'unasked' }
    return asking(at, access, async (error) =>
      mismatchOf(error) === 'in-maintenance' ? asking(at, { kind: 'maintenance' }) : undefined,
    )
  }
  return asking(at, { kind: 'maintenance' }, async (error) => {
    const access = mismatchOf(error) === 'not-in-maintenance' ? await at.access() : undefined
    return access && asking(at, access)
  })
}

async function asking(
  at: Look,
  access: MachineTarget['access'],
  otherwise?: (error: unknown) => Promise<Seen | undefined>,
): Promise<Seen> {
  const machine = at.machines.machine({ address: at.address, access })
  try {
    return await (access.kind === 'maintenance'
      ? lookAtWaiting(machine, at.signal)
      : lookAtMember(machine, at))
  } catch (error) {
    return (await otherwise?.(error)) ?? failed(error)
  }
}

/** What is seen of a machine that cannot be looked at. What is no answer of a machine is thrown. */
function failed(error: unknown): Seen {
  if (error instanceof MachineError) {
    const { message, mismatch } = error
    return outcomeOf(error) === 'wrong-identity'
      ? { is: 'stranger', mismatch, message }
      : { is: 'silent', message }
  }
  // Nobody can be asked at what is no address.
  const isNoAddress = error instanceof OperatorError && error.code === 'ValidationError'
  if (isNoAddress) return { is: 'silent', message: error.message }
  throw error
}

const mismatchOf = (error: unknown) => (error instanceof MachineError ? error.mismatch : undefined)
