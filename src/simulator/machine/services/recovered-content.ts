import type { EtcdContent } from '#simulator/etcd/etcd-content.ts'
import { checkHash, readSnapshot } from '#simulator/etcd/snapshot.ts'
import type { EphemeralPartition } from '#simulator/machine/kept/ephemeral-partition.ts'
import { Refusal } from '#simulator/refusal.ts'
import { ServiceFailure } from './services.ts'

const MISSING = new Refusal('Unknown', 'stat /var/lib/etcd.snapshot: no such file or directory')

/**
 * What etcd begins with when it recovers from the snapshot that was brought. As etcd's own tool does, it first looks whether
 * that is a database at all, then puts it into the data directory, and only there checks its sum: refused then, it stays.
 */
export function recoveredContent(
  ephemeral: EphemeralPartition,
  skipHashCheck: boolean,
): EtcdContent {
  const { snapshot } = ephemeral
  const content = attempt('verifying snapshot', () => {
    if (!snapshot) throw MISSING
    return readSnapshot(snapshot)
  })
  if (!snapshot || skipHashCheck) return content
  attempt('recovering from the snapshot', () => {
    try {
      checkHash(snapshot)
    } catch (error) {
      ephemeral.halfRecovered = snapshot
      throw error
    }
  })
  return content
}

function attempt<Result>(what: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new ServiceFailure(`Failed to run pre stage: error ${what}: ${error.message}`)
  }
}
