import { type Clock, systemClock } from '#base/clock.ts'
import type { Duration } from '#base/duration.ts'
import type { KubeClient } from '#kube/client.ts'
import { openManagementApi } from './management-api.ts'
import type { Output } from './output.ts'
import { stopSignal } from './stop-signal.ts'
import { type Edits, editsFor, makeEdit, wordsForEdit } from './upgrade-k8s-edits.ts'
import { followUpgrade } from './upgrade-k8s-follow.ts'
import { foreseeUpgrade } from './upgrade-k8s-foresee.ts'
import { demandLeader } from './upgrade-k8s-leader.ts'
import { demandUpgradable, type Found, lookAtCluster } from './upgrade-k8s-look.ts'
import { standingOf, type UpgradeSeen } from './upgrade-k8s-standing.ts'
import { type UpgradeFlags, type UpgradeWish, upgradeWish } from './upgrade-k8s-wish.ts'

interface Asked {
  readonly name: string | undefined
  readonly flags: UpgradeFlags
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Upgrades as the command line and the environment say. Rejects with a problem for people. */
export async function runUpgrade({ name, flags, env }: Asked, output: Output): Promise<void> {
  const { to: _to, dryRun: isDryRun = false, timeout, leaderElectionName, ...management } = flags
  const { namespace: asked, ...wish } = upgradeWish({ name, flags, env })
  using stop = stopSignal(systemClock)
  const { signal } = stop
  using api = await openManagementApi({ ...management, ...(asked && { namespace: asked }) }, signal)
  const { client, namespace } = api
  await upgrade(
    { ...wish, namespace },
    {
      ...{ client, signal, isDryRun, timeout, leaderElectionName, ...output },
      clock: systemClock,
    },
  )
}

interface UpgradePorts extends Output {
  readonly client: KubeClient
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly isDryRun: boolean
  readonly timeout: Duration
  readonly leaderElectionName: string
}

/** Asks for the version and follows what becomes of it, until all that is to have it has it. Rejects if that is not to be. */
export async function upgrade(wish: Required<UpgradeWish>, ports: UpgradePorts): Promise<void> {
  const { to } = wish
  const { client, signal, out } = ports
  const what = `TalosControlPlane ${wish.namespace}/${wish.name}`
  const found = await lookAtCluster(client, { ...wish, signal })
  const edits = editsFor(found, to)
  if (edits.edits.length === 0 && standingOf(seenOf(found, edits), to).is === 'there') {
    out(`${what} has Kubernetes ${to} already${wordsForLeft(edits)}\n`)
    return
  }
  if (ports.isDryRun) return foreseeUpgrade({ wish, found, edits }, ports)
  demandUpgradable(found, to)
  await makeEdits(edits, wish, ports)
  const look = async () => seenOf(await lookAtCluster(client, { ...wish, signal }), edits)
  await followUpgrade({ ...ports, what, to, look })
  out(`${what} has Kubernetes ${to}${wordsForLeft(edits)}\n`)
}

/** Only where there is somebody who acts on them. */
async function makeEdits(
  { edits }: Edits,
  { namespace, to }: Required<UpgradeWish>,
  { client, clock, signal, leaderElectionName: name, out }: UpgradePorts,
): Promise<void> {
  await demandLeader(client, { name, now: clock.now(), signal })
  for (const edit of edits) {
    await makeEdit(client, edit, { namespace, to })
    out(`${wordsForEdit(edit, to)}\n`)
  }
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
