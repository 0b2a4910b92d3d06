import { classifyChange } from '#machineconfig/diff/classify.ts'
import { diffConfigs } from '#machineconfig/diff/diff-configs.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import type { HeldConfig } from '#simulator/machine/held-config.ts'
import type { ApplyMode } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'

/** What an apply comes down to. */
export interface ChosenMode {
  readonly mode: ApplyMode
  readonly details: string
  /** Why it takes a reboot, after a colon; or empty. */
  readonly reason: string
}

const WITHOUT_REBOOT = 'Applied configuration without a reboot'
const WITH_REBOOT = 'Applied configuration with a reboot'
const STAGED = 'Staged configuration to be applied after the next reboot'

const FIRST_WITHOUT_REBOOTS = 14

interface Asked {
  readonly boot: Boot
  readonly held: HeldConfig
  readonly mode: ApplyMode
}

/** What is to be done with a configuration that is valid. Refuses what cannot be done in that way. */
export function chooseMode({ boot, held, mode }: Asked): ChosenMode {
  if (mode === 'STAGED') return { mode, details: STAGED, reason: '' }
  const problem = boot.isInMaintenance ? undefined : immediateProblem(boot, held)
  if (mode === 'REBOOT') return chooseReboot(boot)
  if (mode === 'AUTO') {
    return problem === undefined
      ? { mode: 'NO_REBOOT', details: WITHOUT_REBOOT, reason: '' }
      : { mode: 'REBOOT', details: WITH_REBOOT, reason: `: ${problem}` }
  }
  if (problem !== undefined) throw new Refusal('InvalidArgument', problem)
  return { mode, details: WITHOUT_REBOOT, reason: '' }
}

function chooseReboot({ isInMaintenance, minor }: Boot): ChosenMode {
  if (isInMaintenance) return { mode: 'NO_REBOOT', details: WITHOUT_REBOOT, reason: '' }
  if (minor < FIRST_WITHOUT_REBOOTS) return { mode: 'REBOOT', details: WITH_REBOOT, reason: '' }
  throw new Refusal(
    'Unimplemented',
    'the REBOOT mode is not supported, please use AUTO or NO_REBOOT modes instead',
  )
}

/** Why a change takes a reboot, in Talos' words; undefined if it does not. */
function immediateProblem({ config, minor, image }: Boot, held: HeldConfig): string | undefined {
  if (minor >= FIRST_WITHOUT_REBOOTS) return undefined
  if (!config) return 'no current config'
  if (!held.facts) return 'new config is not v1alpha1'
  const { changes } = classifyChange(config.config, held.config, { talosVersion: image.version })
  if (changes.every(({ effort }) => effort !== 'reboot')) return undefined
  const diff = diffConfigs(config.config, held.config)
  return `this config change can't be applied in immediate mode\ndiff:\n${diff}`
}
