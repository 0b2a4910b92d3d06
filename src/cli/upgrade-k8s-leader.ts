import { Lease } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import { problem } from '#base/problem.ts'
import { ApiError } from '#kube/api-error.ts'
import type { KubeClient } from '#kube/client.ts'

// Clocks differ. Whoever is taken for a leader by mistake is found out when nobody takes up the work.
const SKEW_MS = 30_000

interface LeaderOptions {
  /** Of the Lease, in whichever namespace. */
  readonly name: string
  readonly now: Date
  readonly signal: AbortSignal
}

/**
 * Throws a problem for people if no operator leads. Who may not look at Leases is not kept from anything: that nobody does the
 * work shows a little later.
 */
export async function demandLeader(
  client: KubeClient,
  { name, now, signal }: LeaderOptions,
): Promise<void> {
  const leases = await leasesNamed(client, name, signal)
  if (!leases || leases.some((lease) => isHeld(lease, now))) return
  throw problem({
    what: 'no operator leads, so nobody would upgrade anything: nothing was edited',
    why: `no Lease ${name} is held in any namespace`,
    remedy:
      'start one (talos-operator run, or the chart), or name its Lease with --leader-election-name',
  })
}

async function leasesNamed(client: KubeClient, name: string, signal: AbortSignal) {
  try {
    const { items } = await client.list(
      Lease,
      { fieldSelector: `metadata.name=${name}` },
      { signal },
    )
    return items
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'Forbidden') return undefined
    throw error
  }
}

function isHeld({ spec }: ObjectOf<typeof Lease>, now: Date): boolean {
  const { holderIdentity = '', renewTime = '', leaseDurationSeconds = 0 } = spec ?? {}
  const endsMs = Date.parse(renewTime) + leaseDurationSeconds * 1_000
  return holderIdentity !== '' && endsMs + SKEW_MS > now.getTime()
}
