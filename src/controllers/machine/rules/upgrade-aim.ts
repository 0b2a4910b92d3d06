import type { Machine } from '#api/machine.ts'
import type { Decision } from '#controllers/machine/decision.ts'
import type { Boot, Member, World } from '#controllers/machine/world.ts'
import { installerOf, installsBeside } from '#engine/installer.ts'
import { type UpgradeRecord, upgradeRecord } from '#engine/upgrade-record.ts'
import { no } from '#runtime/plan.ts'

/** What a machine is to run that runs something else. */
export interface Aim {
  seen: Member
  image: string
  /** Where that is; undefined of one that was not told to install this image. */
  record: UpgradeRecord | undefined
}

/** What a machine that answers may get now; undefined if it runs what it is to, or has to wait for others. */
export function aimOf(machine: Machine, world: World): Aim | undefined {
  const { seen } = world
  if (seen.is !== 'member' || seen.version === machine.spec?.version) return undefined
  if (isHeldBack(machine, world)) return undefined
  const [image, record] = [installerOf(machine), upgradeRecord(machine)]
  return { seen, image, record: record?.image === image ? record : undefined }
}

/** The same of one that has told what it booted. */
export function bootedAim(
  machine: Machine,
  world: World,
): (Aim & { boot: Boot; isBeside: boolean }) | undefined {
  const aim = aimOf(machine, world)
  const { boot, version = '' } = aim?.seen ?? {}
  return aim && boot && { ...aim, boot, isBeside: installsBeside(version) }
}

/**
 * Talos stays as it is while its cluster is moved to another Kubernetes: what goes wrong then is wrong with one of them. What
 * was begun before is finished.
 */
export const isHeldBack = (machine: Machine, { isKubernetesMoving }: World): boolean =>
  isKubernetesMoving && upgradeRecord(machine) === undefined

/** What a long call is known by. */
export const pulling = (image: string): string => `pull ${image}`
export const installing = (image: string): string => `install ${image}`

/** Whether it installs something at this moment, whichever image. */
export const isInstalling = (long: World['long']): boolean =>
  long?.is === 'under way' && long.what.startsWith(installing(''))

/** What is said meanwhile. */
export const upgrading = (what: string): Decision => ({
  state: 'Upgrading',
  ready: no('Upgrading', `the machine is upgraded: ${what}`),
  pace: 'soon',
})
