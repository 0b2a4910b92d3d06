import type { Machine } from '#api/machine.ts'
import type { Decision } from '#controllers/machine/decision.ts'
import type { Member, World } from '#controllers/machine/world.ts'
import { upgradeRecord } from '#engine/upgrade-record.ts'
import { compareVersions, parseVersion } from '#machineconfig/versions/version.ts'
import { no } from '#runtime/plan.ts'

/** Whether a machine answers that runs another version than it is to, and may get that now. */
export function isToBeUpgraded(
  machine: Machine,
  seen: World['seen'],
  world: World,
): seen is Member {
  const isOther = seen.is === 'member' && seen.version !== machine.spec?.version
  return isOther && !isHeldBack(machine, world)
}

/**
 * Talos stays as it is while its cluster is moved to another Kubernetes: what goes wrong then is wrong with one of them. What
 * was begun before is finished.
 */
export const isHeldBack = (machine: Machine, { isKubernetesMoving }: World): boolean =>
  isKubernetesMoving && upgradeRecord(machine) === undefined

const SINCE = { major: 1, minor: 13, patch: 0 }

/** Whether it installs while it runs on, and boots when it is told to. */
export const hasLifecycle = ({ version }: Member): boolean => {
  const runs = parseVersion(version)
  return runs !== undefined && compareVersions(runs, SINCE) >= 0
}

/** What a long call is known by. */
export const pulling = (image: string): string => `pull ${image}`
export const installing = (image: string): string => `install ${image}`

/** What is said meanwhile. */
export const upgrading = (what: string): Decision => ({
  state: 'Upgrading',
  ready: no('Upgrading', `the machine is upgraded: ${what}`),
  pace: 'soon',
})
