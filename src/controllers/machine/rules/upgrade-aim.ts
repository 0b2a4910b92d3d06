import type { Machine } from '#api/machine.ts'
import type { Decision } from '#controllers/machine/decision.ts'
import type { Boot, Member, World } from '#controllers/machine/world.ts'
import { isAdopted } from '#engine/adoption.ts'
import { configRecord } from '#engine/config-record.ts'
import {
  installerOf,
  installsBeside,
  schematicIn,
  versionIn,
  wantedSchematic,
} from '#engine/installer.ts'
import { schematicWords, upgradeWords } from '#engine/upgrade-problems.ts'
import { isOfTurn, type UpgradeRecord, upgradeRecord } from '#engine/upgrade-record.ts'
import { no } from '#runtime/plan.ts'
import { isInstallConsented, isInstallerEdited } from './consent.ts'

/**
 * What a machine is to boot. `upgrade`: it runs something else. `take back`: it runs that, and was told to install something
 * else before, which would come up with its next boot.
 */
export interface Aim {
  is: 'upgrade' | 'take back'
  seen: Member
  image: string
  /** Where that is; undefined of one that was not told to install this image. */
  record: UpgradeRecord | undefined
  /** What it was told last, whichever image. */
  last: UpgradeRecord | undefined
}

/** What a machine that answers may get now; undefined if it has what it is to, or has to wait for others. */
export function aimOf(machine: Machine, world: World): Aim | undefined {
  const wish = wishOf(machine, world)
  return wish && isHeldBack(wish, world) ? undefined : wish
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

/** What it is to get, whoever has to be waited for. */
export function wishOf(machine: Machine, around: Around): Aim | undefined {
  const { seen } = around
  const is = whatFor(machine, around)
  if (!is || seen.is !== 'member') return undefined
  const [image, last] = [installerOf(machine), upgradeRecord(machine)]
  return { is, seen, image, record: last?.image === image ? last : undefined, last }
}

/** What it follows from. */
export type Around = Pick<World, 'seen' | 'wanted' | 'change'>

/** Whether it is to get anything, and what for. */
export function whatFor(machine: Machine, around: Around): Aim['is'] | undefined {
  const { seen } = around
  if (seen.is !== 'member') return undefined
  if (seen.version !== machine.spec?.version) return 'upgrade'
  if (otherSchematic(machine, seen) && isAskedFor(machine, around)) return 'upgrade'
  return bootsOther(machine, seen) ? 'take back' : undefined
}

/** The schematic that a machine is to be of, if it is known that it runs another one, or none. */
export function otherSchematic(machine: Machine, { boot }: Member): string | undefined {
  const wanted = wantedSchematic(machine)
  return boot && boot.schematic !== wanted ? wanted : undefined
}

/**
 * Whether somebody wants a machine to be installed anew. What was taken over may run something else than its configuration
 * says, because that is how people upgrade: so it has to be an edit, or consent. What was begun is finished.
 */
export function isAskedFor(machine: Machine, around: Around): boolean {
  if (!isAdopted(machine) && configRecord(machine) !== undefined) return true
  const isTold = upgradeRecord(machine)?.image === installerOf(machine)
  return isTold || isInstallerEdited(machine, around) || isInstallConsented(machine, around)
}

/** Whether something else comes up with its next boot than it runs. In one call nothing is installed without a boot. */
function bootsOther(machine: Machine, { version, boot }: Member): boolean {
  const record = upgradeRecord(machine)
  if (!record || !boot || boot.id !== record.boot || !installsBeside(version)) return false
  return record.phase !== 'installed' || record.image !== installerOf(machine)
}

/**
 * Talos stays as it is while its cluster is moved to another Kubernetes: what goes wrong then is wrong with one of them. What
 * was begun in this very turn is finished.
 */
export function isHeldBack(
  { last, image }: Aim,
  { isKubernetesMoving, turn }: Pick<World, 'isKubernetesMoving' | 'turn'>,
): boolean {
  // Of what older operators began the turn is not known.
  const isBegun = last && isOfTurn(last, turn) && (last.turn !== undefined || last.image === image)
  return isKubernetesMoving && !isBegun
}

/** What it is about, for sentences: `the machine is to be …`. */
export function wordsFor(aim: Aim, { spec }: Machine): string {
  const { is, seen, image } = aim
  if (is === 'take back') {
    return `given ${image} again, which it runs, because ${besideOf(aim)} is not wanted any more and would come up with its next boot`
  }
  const runs = { version: seen.version, schematic: seen.boot?.schematic }
  return upgradeWords(runs, { version: spec?.version, image })
}

/** What is installed beside what runs, and is not wanted. */
function besideOf({ seen, record, last }: Aim): string {
  // Once it was told to install what it runs, only the version is known of what was there before.
  const beside = record ? undefined : last?.image
  const version = record?.from ?? versionIn(beside ?? '')
  if (version !== undefined && version !== seen.version) return `Talos ${version}`
  const schematic = schematicIn(beside ?? '')
  return schematic === undefined ? 'what is installed beside it' : schematicWords(schematic)
}

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
