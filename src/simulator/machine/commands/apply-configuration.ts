import { ConfigError } from '#machineconfig/config-error.ts'
import { diffConfigs } from '#machineconfig/diff/diff-configs.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { errorText } from '#machineconfig/validate/error-list.ts'
import { validateConfig } from '#machineconfig/validate/validate.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import { type HeldConfig, heldConfig } from '#simulator/machine/held-config.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { ApplyRequest, ApplyResult } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { carryOut } from './apply-effects.ts'
import { type ChosenMode, chooseMode } from './apply-mode.ts'
import { poweredBoot } from './powered-boot.ts'

// From this minor version on the API of a machine without configuration is the usual one.
const ONE_API_SINCE = 13
const FIRST_THAT_WANTS_LEGACY = 12

/** Takes a configuration, or says why not. */
export function applyConfiguration(inside: MachineInside, request: ApplyRequest): ApplyResult {
  const boot = poweredBoot(inside)
  const isOldMaintenance = boot.isInMaintenance && boot.minor < ONE_API_SINCE
  if (isOldMaintenance) checkOldMode(request)
  if (request.mode !== 'TRY') endTry(boot)
  refuseWhileRebooting(boot)
  const held = readFor(boot, request.text, isOldMaintenance)
  const warnings = validateFor(inside, held, isOldMaintenance)
  const chosen = chooseMode({ boot, held, mode: request.mode })
  if (request.dryRun) return dryRun(boot, held, { chosen, isOldMaintenance })
  const details = carryOut(inside, held, { ...request, mode: chosen.mode })
  inside.record(`takes a configuration (${chosen.mode})`)
  inside.passes('after-apply')
  return { mode: chosen.mode, warnings, details: `${chosen.details}${details}${chosen.reason}` }
}

/** Any apply but a trying one ends the time in which one is tried. */
function endTry(boot: Boot): void {
  boot.tryRollback?.()
  boot.tryRollback = undefined
}

const OLD_MODES = ['AUTO', 'REBOOT', 'TRY']

function checkOldMode({ mode }: ApplyRequest): void {
  if (OLD_MODES.includes(mode)) return
  const shown = mode.toLowerCase().replaceAll('_', '-')
  throw new Refusal(
    'Unimplemented',
    `apply configuration --mode='${shown}' is not supported in maintenance mode`,
  )
}

function refuseWhileRebooting({ isRebootingForConfig, minor, image }: Boot): void {
  const patch = Number(/^v\d+\.\d+\.(\d+)/.exec(image.version)?.[1] ?? 0)
  const refuses = minor > 13 || (minor === 13 && patch >= 3) || (minor === 12 && patch >= 9)
  if (!isRebootingForConfig || !refuses) return
  throw new Refusal(
    'FailedPrecondition',
    'configuration was already applied and node is rebooting, cannot apply more configuration changes until next reboot',
  )
}

function readFor(boot: Boot, text: string, isOldMaintenance: boolean): HeldConfig {
  const held = read(boot, text, isOldMaintenance)
  const mayLackLegacy = boot.isInMaintenance || boot.minor < FIRST_THAT_WANTS_LEGACY
  if (held.facts || mayLackLegacy) return held
  throw new Refusal(
    'InvalidArgument',
    "the applied machine configuration doesn't contain v1alpha1 config, did you mean to patch the machine config instead?",
  )
}

function read(boot: Boot, text: string, isOldMaintenance: boolean): HeldConfig {
  try {
    return heldConfig(text, boot.image.version)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw isOldMaintenance
      ? new Refusal('Unknown', `failed to parse config: ${error.message}`)
      : new Refusal('InvalidArgument', error.message)
  }
}

function validateFor(
  inside: MachineInside,
  held: HeldConfig,
  isOldMaintenance: boolean,
): readonly string[] {
  const { warnings, errors } = validateConfig(held.config, {
    mode: inside.platform,
    talosVersion: inside.talosVersion,
    installed: inside.isInstalled,
  })
  const all = [...errors, ...runtimeErrors(inside, held)]
  if (all.length > 0) {
    const prefix = isOldMaintenance ? 'configuration validation failed: ' : ''
    inside.tell({ type: 'ConfigValidationErrorEvent', error: errorText(all) })
    throw new Refusal('InvalidArgument', `${prefix}${errorText(all)}`)
  }
  return warnings
}

/** What only the machine itself can know to be wrong. */
function runtimeErrors(inside: MachineInside, { facts, text }: HeldConfig): string[] {
  const fault = inside.world.faults.strike('rejects-config', inside, {
    with: (part) => text.open().includes(part),
  })
  if (fault) {
    const part = fault.options.get('with')
    return [
      part === undefined
        ? 'the machine refuses every configuration'
        : `${JSON.stringify(part)} is not supported on this machine`,
    ]
  }
  const needsDisk = inside.platform === 'metal' && !inside.isInstalled
  if (!facts || !needsDisk || facts.install.disk !== '') return []
  return facts.install.find(inside.disks) ? [] : ['no disks matched the expression: disk selector']
}

function dryRun(
  boot: Boot,
  held: HeldConfig,
  { chosen, isOldMaintenance }: { chosen: ChosenMode; isOldMaintenance: boolean },
): ApplyResult {
  if (isOldMaintenance) {
    const details =
      'Dry run summary:\nNode is running in maintenance mode and does not have a config yet.'
    return { mode: chosen.mode, warnings: [], details }
  }
  const before = boot.config?.config ?? new MachineConfig([])
  const diff = diffConfigs(before, held.config) || 'No changes.'
  const details = `Dry run summary:\n${chosen.details} (skipped in dry-run).\nConfig diff:\n\n${diff}`
  return { mode: chosen.mode, warnings: [], details }
}
