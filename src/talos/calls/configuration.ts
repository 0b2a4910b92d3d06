import { Secret } from '#base/secret.ts'
import type { Caller, CallOptions } from '#talos/caller.ts'
import { durationOf } from '#talos/duration-message.ts'
import {
  ApplyConfigurationRequest_Mode,
  MachineService,
} from '#talos/generated/machine/machine_pb.ts'
import { onlyMessage } from './only-message.ts'

const MODES = {
  /** It decides itself. Up to v1.13 this may mean a reboot. */
  auto: ApplyConfigurationRequest_Mode.AUTO,
  /** At once, and refused if that cannot be. */
  'no-reboot': ApplyConfigurationRequest_Mode.NO_REBOOT,
  /** Not since v1.14, but in maintenance mode. */
  reboot: ApplyConfigurationRequest_Mode.REBOOT,
  /** After the next reboot. */
  staged: ApplyConfigurationRequest_Mode.STAGED,
  /** At once, and taken back after a while, unless it is applied in another mode before. */
  try: ApplyConfigurationRequest_Mode.TRY,
} as const

export type ApplyMode = keyof typeof MODES

export interface Application {
  /** The whole configuration: nothing is merged with what the machine has. */
  configuration: Secret<string>
  mode: ApplyMode
  /** Only says what would be. */
  dryRun?: boolean
  /** For `try`: when it is taken back. Left out: after a minute. */
  tryTimeoutMs?: number
}

export interface Applied {
  /** How it was applied: for `auto`, what the machine decided. */
  mode: ApplyMode
  /** What the machine says about it. For a dry run it has a diff in it, and so secrets. */
  details: Secret<string>
  /** Whether a dry run found nothing to change. */
  isUnchanged: boolean
  warnings: string[]
}

/** The configuration of a machine. It is read as a resource. */
export const configurationCalls = (caller: Caller) => ({
  /** Gives the machine its configuration. `already-done` never comes: applying twice is no error. */
  async apply(application: Application, options?: CallOptions): Promise<Applied> {
    const { configuration, mode, dryRun = false, tryTimeoutMs } = application
    const answer = await caller.ask(
      {
        method: MachineService.method.applyConfiguration,
        what: `apply a configuration (${dryRun ? 'dry run, ' : ''}${mode}) to`,
        pace: 'change',
        redact: withoutValues,
        options,
      },
      {
        data: Buffer.from(configuration.open()),
        mode: MODES[mode],
        dryRun,
        ...(tryTimeoutMs !== undefined && { tryModeTimeout: durationOf(tryTimeoutMs) }),
      },
    )
    const { mode: applied, modeDetails, warnings } = onlyMessage(caller, answer)
    return {
      mode: modeOf(applied) ?? mode,
      details: new Secret(modeDetails),
      isUnchanged: dryRun && modeDetails.trimEnd().endsWith('No changes.'),
      warnings,
    }
  },
})

const modeOf = (wanted: ApplyConfigurationRequest_Mode): ApplyMode | undefined => {
  const modes: ApplyMode[] = ['auto', 'no-reboot', 'reboot', 'staged', 'try']
  return modes.find((mode) => MODES[mode] === wanted)
}

/** What a machine says about a configuration quotes it: keys and places are told, values are not. */
export const withoutValues = (words: string): string =>
  words
    .replaceAll(/`[^`]*`/g, '`***`')
    .replace(
      /(unknown keys found during decoding:)([\s\S]*)/,
      (_all, start: string, rest: string) => start + rest.split('\n').map(keyOnly).join('\n'),
    )

/** A line of YAML without what may be a value: of a block of text, every line is one. */
function keyOnly(line: string): string {
  const [, key] = /^([ \t]*(?:- )*[\w./-]+:)(?=[ \t]|$)/.exec(line) ?? []
  if (key === undefined) return line.trim() && line.replace(/\S.*$/, '***')
  return key === line.trimEnd() ? key : `${key} ***`
}
