import type { Machine } from '#api/machine.ts'
import { sameJson } from '#base/same-json.ts'
import { isAdopted } from '#engine/adoption.ts'
import { configRecord, rejectionOf } from '#engine/config-record.ts'
import { installerOf, versionProblem, wantedSchematic } from '#engine/installer.ts'
import { extensionsProblem, failedBefore, upgradeWords } from '#engine/upgrade-problems.ts'
import { configFingerprint, wantedText } from '#engine/wanted-config.ts'
import { classifyChange, type Effect } from '#machineconfig/diff/classify.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { releaseOf } from '#machineconfig/versions/contract.ts'
import { parseVersion } from '#machineconfig/versions/version.ts'
import type { ChangedMachine, Said } from './diff-report.ts'
import type { Running } from './diff-running.ts'
import { isClaimed, type Wish } from './diff-wish.ts'

/** A machine that stays, and what is wanted of it. */
export interface Staying {
  readonly machine: Machine
  /** By the objects that are there; undefined if they want no such machine. */
  readonly before: Wish | undefined
  readonly after: Wish
}

/**
 * What is done to a machine that stays; undefined if nothing is. `already`: it is not as the objects want it that are
 * there, and these want nothing else of it.
 */
export function changeOf(
  staying: Staying,
  running: Running,
): ChangedMachine | 'already' | undefined {
  const { before, after } = staying
  const change = wantedChange(staying, running)
  const isSame = before !== undefined && isSameWish(before, after)
  return change && isSame ? 'already' : change
}

/** The same, whoever wants it. */
export function wantedChange(staying: Staying, running: Running): ChangedMachine | undefined {
  const { machine, before, after } = staying
  const isMetaWritten = after.meta !== undefined && after.meta !== before?.meta
  const of = {
    ...{ do: 'change' as const, name: machine.metadata.name, address: after.spec.endpoint },
    ...{ isMetaWritten, ...comparedWith(running, machine) },
  }
  if ('problem' in after.config) {
    return { ...of, effort: 'live', changes: [], problem: after.config.problem }
  }
  const upgrade = isClaimed(machine) ? upgradeOf(staying, running) : undefined
  const changes = changesOf(staying, { running, to: after.config.make() })
  if (changes.length === 0 && !upgrade && !isMetaWritten) return undefined
  const problem =
    (upgrade && whyNotUpgraded(staying, running, upgrade)) ?? heldBack(staying, running)
  const effort = isClaimed(machine) ? effortOf(changes, upgrade) : 'install'
  return { ...of, effort, changes, ...(upgrade && { upgrade }), ...(problem && { problem }) }
}

const comparedWith = (running: Running, machine: Machine) =>
  running.is === 'seen'
    ? { comparedWith: 'machine' as const }
    : { comparedWith: 'objects' as const, ...(isClaimed(machine) && { unseen: running.why }) }

const isSameWish = (before: Wish, after: Wish): boolean =>
  before.spec.version === after.spec.version &&
  before.meta === after.meta &&
  sameJson(shownOf(before.config), shownOf(after.config))

const shownOf = (config: Wish['config']) =>
  'problem' in config ? config.problem : config.fingerprint

type Upgrade = NonNullable<ChangedMachine['upgrade']>

function upgradeOf({ machine, before, after }: Staying, running: Running): Upgrade | undefined {
  const known = machine.status?.observedVersion ?? before?.spec.version ?? after.spec.version
  const from = running.is === 'seen' ? running.version : known
  const to = after.spec.version
  if (from !== to) return { from, to }
  const [schematic, last] = [wantedSchematic(after), before && wantedSchematic(before)]
  const has = bootOn(running)?.schematic ?? machine.status?.observedSchematic ?? last
  // What was imported is installed anew only because of an edit.
  const isNotAsked = isAdopted(machine) && schematic === last
  const isSame = schematic === undefined || schematic === has || isNotAsked
  return isSame ? undefined : { from, to, schematic }
}

const bootOn = (running: Running) => (running.is === 'seen' ? running.boot : undefined)

/** Why the operator does not give a machine another Talos, as far as that is known before. */
function whyNotUpgraded(
  { machine, after }: Staying,
  running: Running,
  { from, to }: Upgrade,
): Said | undefined {
  const asked = { ...machine, spec: after.spec }
  const image = installerOf(asked)
  const boot = bootOn(running)
  const schematic = boot?.schematic ?? machine.status?.observedSchematic
  const what = upgradeWords({ version: from, schematic }, { version: to, image })
  return (
    versionProblem(asked, from) ??
    failedBefore(asked, { image, is: 'upgrade', what }) ??
    (boot && extensionsProblem(asked, image, boot))
  )
}

/** Why the operator does not give a machine the configuration that is asked for. */
function heldBack({ machine, before, after }: Staying, running: Running): Said | undefined {
  const wanted = fingerprintIn(after)
  const why = wanted && rejectionOf(machine, wanted)
  if (why) return { reason: 'ConfigRejected', message: `it did not take that before: ${why}` }
  if (configRecord(machine) || running.is !== 'seen') return undefined
  if (configFingerprint(running.config) === fingerprintIn(before)) return undefined
  const message =
    'it was not configured by this operator, and has another configuration than what the objects that are there ask for: it is not changed before you say so on its TalosMachine, which then shows how'
  return { reason: 'WaitsForConsent', message }
}

const fingerprintIn = (wish: Wish | undefined): string | undefined =>
  wish && 'fingerprint' in wish.config ? wish.config.fingerprint : undefined

function changesOf(
  { before, after }: Staying,
  { running, to }: { running: Running; to: MachineConfig },
): Effect['changes'] {
  const from = running.is === 'seen' ? running.config : configIn(before)
  if (!from || configFingerprint(from) === configFingerprint(to)) return []
  // Both as they are read: an empty list and none are the same to a machine.
  const talosVersion = isServed(running) ? running.version : after.spec.version
  return classifyChange(reread(from), reread(to), { talosVersion }).changes
}

/** Whether it is known what changes of it take. */
function isServed(running: Running): running is Extract<Running, { is: 'seen' }> {
  const version = running.is === 'seen' ? parseVersion(running.version) : undefined
  return version !== undefined && releaseOf(version) !== undefined
}

const configIn = (wish: Wish | undefined): MachineConfig | undefined =>
  wish && 'make' in wish.config ? wish.config.make() : undefined

const reread = (config: MachineConfig): MachineConfig => readConfig(wantedText(config).open())

/** What is said of the installation is in force with the next one, and costs nothing before. */
function effortOf(
  changes: Effect['changes'],
  upgrade: Upgrade | undefined,
): ChangedMachine['effort'] {
  if (upgrade) return 'upgrade'
  return changes.some(({ effort }) => effort === 'reboot') ? 'reboot' : 'live'
}
