import { CONSENT, UPGRADE_FAILED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { Boot, Member, World } from '#controllers/machine/world.ts'
import { installerOf, keepsExtensions, schematicIn, versionProblem } from '#engine/installer.ts'
import { UPGRADE_PENDING } from '#engine/pending.ts'
import { failureOf, type UpgradeRecord, upgradeRecord } from '#engine/upgrade-record.ts'
import { compareVersions, parseVersion } from '#machineconfig/versions/version.ts'
import { no } from '#runtime/plan.ts'
import { drainFirst, lettingGo } from './disruption.ts'
import { fetchFirst } from './fetch-first.ts'
import { asRunning } from './member.ts'

// A machine gets another version of Talos in its turn: the image is fetched, the new version installed beside the old one, the
// node drained, the machine booted, and what it then is read back. Before v1.13 Talos does all but the first itself.

// So long a machine may take from being told to be on its way.
const ON_ITS_WAY_MS = 120_000
const MOST_TRIES = 3
// An installation goes on though nobody hears of it, and until it is over the machine takes no other.
const TELL_AGAIN_MS = 60_000

/** Who has booted since it was told is what it has become. */
export const upgraded: Rule = (machine, { seen }) => {
  const record = upgradeRecord(machine)
  if (!record || seen.is !== 'member' || !seen.boot || seen.boot.id === record.boot)
    return undefined
  const why = whatIsWrong(machine, seen, record)
  return {
    steps: why ? [{ do: 'noteUpgradeFailed', image: record.image, why }] : [{ do: 'noteUpgraded' }],
    ...upgrading(`it is back with Talos ${seen.version}`),
  }
}

function whatIsWrong(
  { spec }: Machine,
  { version, boot }: Member,
  { image, from }: UpgradeRecord,
): string | undefined {
  if (version === from && version !== spec?.version) {
    return `it booted, and runs Talos ${version} as before: what it was given did not come up, and it went back to what it had`
  }
  const wanted = schematicIn(image)
  if (wanted === undefined || boot?.schematic === wanted) return undefined
  return `it runs the schematic ${boot?.schematic ?? 'of no image factory'}, and ${wanted} was installed`
}

/** What must not be tried is said, whoever has a turn. */
export const versionRefused: Rule = (machine, world) => {
  const { seen } = world
  const problem = seen.is === 'member' ? versionProblem(machine, seen.version) : undefined
  if (seen.is !== 'member' || seen.version === machine.spec?.version || !problem) return undefined
  return {
    steps: lettingGo(machine, world),
    state: 'Available',
    ready: no(problem.reason, problem.message),
    pace: 'settled',
  }
}

/** A machine that went back to what it had is left so. To install over the system that still runs may cost that, too. */
export const upgradeFailed: Rule = (machine, world) => {
  const { seen } = world
  if (!isToBeUpgraded(machine, seen, world)) return undefined
  const why = failureOf(machine, installerOf(machine))
  if (why === undefined) return undefined
  return {
    steps: lettingGo(machine, world),
    state: 'Available',
    ready: no(
      'UpgradeFailed',
      `the machine was to be upgraded from Talos ${seen.version} to ${machine.spec?.version}: ${why}. No other machine is upgraded. See \`talosctl -n ${machine.spec?.endpoint} dmesg\`, then change the version or the image; to have the same tried again, remove the annotation ${UPGRADE_FAILED} from this object`,
    ),
    pace: 'settled',
  }
}

/** One machine after the other is upgraded, and its control plane or pool says which. */
export const upgradeWaits: Rule = (machine, world) => {
  const { seen, turn } = world
  if (!isToBeUpgraded(machine, seen, world) || turn !== undefined) return undefined
  const { state, ready } = asRunning(machine, world) ?? {}
  const waits = no(
    UPGRADE_PENDING,
    `the machine is to be upgraded from Talos ${seen.version} to ${machine.spec?.version}, and waits for its turn`,
  )
  return {
    ...(state && { state }),
    ready: ready ?? waits,
    pending: { work: 'upgrade', needs: 'reboot' },
    pace: 'later',
  }
}

/** What works on a machine is not taken away by surprise. */
export const extensionsLost: Rule = (machine, world) => {
  const { seen } = world
  if (!isToBeUpgraded(machine, seen, world) || !seen.boot) return undefined
  const image = installerOf(machine)
  const { extensions, schematic, installer } = seen.boot
  const isKept = keepsExtensions(image, { extensions, schematic, image: installer })
  const token = fingerprint([image, extensions]).slice(0, 8)
  if (isKept || machine.metadata.annotations?.[CONSENT] === token) return undefined
  return {
    steps: lettingGo(machine, world),
    state: 'Available',
    ready: no(
      'ExtensionsWouldBeLost',
      `the machine runs with the extensions ${extensions.join(', ')}, and ${image} is not known to have them. Set machineSpec.image to an installer of the same schematic${schematic ? ` (${schematic})` : ''}; or, if they are not needed or the image has them, annotate this object with ${CONSENT}=${token}`,
    ),
    pace: 'settled',
  }
}

/** Before anything is taken down the image is there: a version that does not exist costs nobody anything. */
export const pullImage: Rule = (machine, world, now) => {
  const { seen } = world
  if (!isToBeUpgraded(machine, seen, world)) return undefined
  const image = installerOf(machine)
  if (upgradeRecord(machine)?.image === image) return undefined
  return fetchFirst(world, now, {
    ...{ call: pulling(image), names: image, meanwhile: upgrading },
    step: { do: 'pullImage', uuid: seen.uuid, image },
    mistakable: 'the version or the image',
  })
}

/** What a long call is known by. */
export const pulling = (image: string): string => `pull ${image}`
export const installing = (image: string): string => `install ${image}`

/** Since v1.13 the new version is installed while the old one runs on. */
export const installBeside: Rule = (machine, world, now) => {
  const { seen, long } = world
  if (!isToBeUpgraded(machine, seen, world) || !seen.boot || !hasLifecycle(seen)) return undefined
  const image = installerOf(machine)
  const record = upgradeRecord(machine)
  if (record?.phase === 'restarting') return undefined
  const call = long?.what === installing(image) ? long : undefined
  if (call?.is === 'done') return undefined
  if (call?.is === 'under way') return upgrading(`${image} is installed beside what runs`)
  // Whoever said no will say so again; an answer that was lost, or never came, is another matter.
  if (call?.is === 'failed' && !isWorthAnother(call.failure.outcome)) {
    return inVain(image, call.failure.message)
  }
  const isOfThis = record?.image === image
  if (isOfThis && now.getTime() - record.at.getTime() < TELL_AGAIN_MS) {
    return upgrading(`it was told to install ${image}, did not answer, and is told again later`)
  }
  return telling(seen, seen.boot, { image, record, now, by: 'lifecycle' })
}

const isWorthAnother = (outcome: string | undefined): boolean =>
  outcome === 'lost' || outcome === 'unreachable' || outcome === 'not-ready'

/** Pods go elsewhere, and then it boots what is installed. */
export const bootNew: Rule = (machine, world, now) => {
  const { seen } = world
  if (!isToBeUpgraded(machine, seen, world) || !seen.boot || !hasLifecycle(seen)) return undefined
  const record = upgradeRecord(machine)
  if (!record) return undefined
  const isTold = record.phase === 'restarting'
  if (isTold && now.getTime() - record.at.getTime() < ON_ITS_WAY_MS) {
    return upgrading('it was told to boot')
  }
  const drain = drainFirst(machine, world, { now, state: 'Upgrading' })
  if (drain) return drain
  const next: UpgradeRecord = { ...record, phase: 'restarting', boot: seen.boot.id, at: now }
  return {
    steps: [{ do: 'restart', uuid: seen.uuid, record: next }],
    ...upgrading('it is told to boot what is installed'),
  }
}

/** Before v1.13 one call does it all; its own drain finds nothing left to do. */
export const upgradeAtOnce: Rule = (machine, world, now) => {
  const { seen } = world
  if (!isToBeUpgraded(machine, seen, world) || !seen.boot || hasLifecycle(seen)) return undefined
  const record = upgradeRecord(machine)
  if (record && now.getTime() - record.at.getTime() < ON_ITS_WAY_MS) {
    return upgrading('it was told to upgrade itself')
  }
  const drain = drainFirst(machine, world, { now, state: 'Upgrading' })
  return drain ?? telling(seen, seen.boot, { image: installerOf(machine), record, now, by: 'all' })
}

interface Telling {
  image: string
  record: UpgradeRecord | undefined
  now: Date
  by: 'lifecycle' | 'all'
}

/** Tells it to install the image, unless that was in vain often enough. */
function telling(
  { uuid, version }: Member,
  { id: boot }: Boot,
  { image, record, now, by }: Telling,
): Decision {
  const times = record?.image === image ? record.times + 1 : 1
  if (times > MOST_TRIES) return inVain(image, `it was told ${MOST_TRIES} times, and did not`)
  const next: UpgradeRecord = {
    ...{ phase: 'installing', image, from: version, boot, times, at: now },
  }
  return {
    steps: [{ do: 'install', uuid, image, by, record: next }],
    ...upgrading(`it is told to install ${image}`),
  }
}

const inVain = (image: string, why: string): Decision => ({
  steps: [{ do: 'noteUpgradeFailed', image, why }],
  ...upgrading('it cannot be'),
})

const upgrading = (what: string): Decision => ({
  state: 'Upgrading',
  ready: no('Upgrading', `the machine is upgraded: ${what}`),
  pace: 'soon',
})

/** Whether a machine answers that runs another version than it is to, and may get that now. */
function isToBeUpgraded(machine: Machine, seen: World['seen'], world: World): seen is Member {
  const isOther = seen.is === 'member' && seen.version !== machine.spec?.version
  return isOther && !isHeldBack(machine, world)
}

/**
 * Talos stays as it is while its cluster is moved to another Kubernetes: what goes wrong then is wrong with one of them. What
 * was begun before is finished.
 */
const isHeldBack = (machine: Machine, { isKubernetesMoving }: World): boolean =>
  isKubernetesMoving && upgradeRecord(machine) === undefined

/** What waits for that is said when nothing else is to be done. */
export const upgradeHeldBack: Rule = (machine, world) => {
  const { seen } = world
  if (seen.is !== 'member' || seen.version === machine.spec?.version) return undefined
  if (!isHeldBack(machine, world)) return undefined
  const { state, ready } = asRunning(machine, world) ?? {}
  return {
    ...(state && { state }),
    ready:
      ready ??
      no(
        UPGRADE_PENDING,
        `the machine is to be upgraded from Talos ${seen.version} to ${machine.spec?.version}, which waits until those of its cluster that get another Kubernetes have it`,
      ),
    pending: { work: 'upgrade', needs: 'reboot' },
    pace: 'later',
  }
}

const SINCE = { major: 1, minor: 13, patch: 0 }

const hasLifecycle = ({ version }: Member): boolean => {
  const runs = parseVersion(version)
  return runs !== undefined && compareVersions(runs, SINCE) >= 0
}
