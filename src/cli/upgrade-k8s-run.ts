import { hostname } from 'node:os'
import { type Clock, systemClock } from '#base/clock.ts'
import type { Duration } from '#base/duration.ts'
import type { ApiAccess } from '#kube/access.ts'
import type { KubeClient } from '#kube/client.ts'
import { openPorts } from '#operator/ports.ts'
import { openManagementApi } from './management-api.ts'
import type { Output } from './output.ts'
import { placesToLook } from './places-to-look.ts'
import { stopSignal } from './stop-signal.ts'
import { carryOut } from './upgrade-k8s-carry-out.ts'
import { type Edits, editsFor, makeEdit, wordsForEdit } from './upgrade-k8s-edits.ts'
import { foreseeUpgrade } from './upgrade-k8s-foresee.ts'
import { findLeases, identityFor, type Leases } from './upgrade-k8s-leases.ts'
import { demandUpgradable, type Found, lookAtCluster } from './upgrade-k8s-look.ts'
import { isSaidOf, standingOf, type UpgradeSeen } from './upgrade-k8s-standing.ts'
import { type UpgradeFlags, type UpgradeWish, upgradeWish } from './upgrade-k8s-wish.ts'
import { startWork, type Work, type WorkOptions } from './upgrade-k8s-work.ts'

interface Asked {
  readonly name: string | undefined
  readonly flags: UpgradeFlags
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Upgrades as the command line and the environment say. Rejects with a problem for people. */
export async function runUpgrade({ name, flags, env }: Asked, output: Output): Promise<void> {
  const { to: _to, dryRun: isDryRun = false, timeout, ...rest } = flags
  const { leaderElectionName, leaderElectionNamespace, enableMetaKey, ...management } = rest
  const { namespace: asked, ...wish } = upgradeWish({ name, flags, env })
  using stop = stopSignal(systemClock)
  const { signal } = stop
  using api = await openManagementApi({ ...management, ...(asked && { namespace: asked }) }, signal)
  const { client, access, namespace } = api
  await upgrade(
    { ...wish, namespace },
    {
      ...{ client, access, signal, isDryRun, timeout, ...output },
      lease: { name: leaderElectionName, namespace: leaderElectionNamespace },
      process: `${hostname()}-${process.pid}`,
      writesMeta: enableMetaKey ?? false,
      ...{ openPorts, clock: systemClock },
    },
  )
}

interface UpgradePorts extends Output, Pick<WorkOptions, 'openPorts' | 'writesMeta'> {
  readonly client: KubeClient
  /** The same API, for an operator in this process. */
  readonly access: ApiAccess
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly isDryRun: boolean
  readonly timeout: Duration
  /** By which operators work. Without a namespace it is looked for. */
  readonly lease: { readonly name: string; readonly namespace: string | undefined }
  /** What tells this process from others. */
  readonly process: string
}

/** Asks for the version and sees to it, until all that is to have it has it. Rejects if that is not to be. */
export async function upgrade(wish: Required<UpgradeWish>, ports: UpgradePorts): Promise<void> {
  const { to } = wish
  const { client, clock, signal, out, lease, access, process } = ports
  const what = `TalosControlPlane ${wish.namespace}/${wish.name}`
  const lookAt = () => lookAtCluster(client, { ...wish, signal })
  const found = await lookAt()
  let edits = editsFor(found, to)
  if (edits.edits.length === 0 && standingOf(seenOf(found, edits), to).is === 'there') {
    out(`${what} has Kubernetes ${to} already${wordsForLeft(edits)}\n`)
    return
  }
  if (ports.isDryRun) return foreseeUpgrade({ wish, found, edits }, ports)
  demandUpgradable(found, to)
  const identity = identityFor(wish, process)
  const leases = await findLeases(
    { ...lease, client, clock, usual: access.namespace, cluster: wish, identity },
    signal,
  )
  await carryOut({
    ...{ ...ports, what, to, leases },
    ask: async () => {
      edits = await makeEdits(await lookAt(), wish, ports)
    },
    look: async () => seenOf(await lookAt(), edits),
    isCalm: async () => isSaidOf(await lookAt()),
    startWork: () => startWorkFor(wish, ports, { leases, identity }),
  })
  out(`${what} has Kubernetes ${to}${wordsForLeft(edits)}\n`)
}

/** As things are by then: it may have taken a while until there was somebody who acts on them. */
async function makeEdits(
  found: Found,
  { namespace, to }: Required<UpgradeWish>,
  { client, out }: UpgradePorts,
): Promise<Edits> {
  demandUpgradable(found, to)
  const edits = editsFor(found, to)
  // Pools first: behind a control plane that is edited already, whoever is interrupted would find them to be meant to stay older.
  for (const edit of edits.edits.toReversed()) {
    await makeEdit(client, edit, { namespace, to })
    out(`${wordsForEdit(edit, to)}\n`)
  }
  return edits
}

async function startWorkFor(
  { namespace, name }: Required<UpgradeWish>,
  ports: UpgradePorts,
  { leases, identity }: { leases: Leases; identity: string },
): Promise<Work> {
  const lease = { name: ports.lease.name, namespace: leases.namespaceToTake }
  const namespaces = await placesToLook(ports.client, namespace)
  return startWork({ ...ports, cluster: { namespace, name }, lease, namespaces, identity })
}

/** Of the pools only those that are to have it, too. */
const seenOf = (found: Found, { followed }: Edits): UpgradeSeen => ({
  ...found,
  pools: found.pools.filter(({ metadata }) => followed.includes(metadata.name)),
})

const wordsForLeft = ({ left }: Edits): string => {
  const pools = left.map(({ metadata, spec }) => `${metadata.name} with ${spec?.kubeVersion}`)
  return pools.length === 0 ? '' : `, but for pools that ask for an older one: ${pools.join(', ')}`
}
