import { ConfigError } from '#machineconfig/config-error.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { errorText } from '#machineconfig/validate/error-list.ts'
import { validateConfig } from '#machineconfig/validate/validate.ts'
import { readText } from './key-file.ts'
import type { Output } from './output.ts'
import { talosVersionOf } from './talos-version.ts'

const MODES = ['metal', 'cloud', 'container'] as const

/** What `validate` is told. */
export interface ValidateFlags {
  readonly config: string
  readonly mode: string
  readonly strict: boolean
  readonly talosVersion?: string
}

/** Does what `validate` was told. Throws all that is wrong. */
export async function validateFile(flags: ValidateFlags, { out, err }: Output): Promise<void> {
  const { config: path, strict } = flags
  // Only for a machine of a known version is asked what talosctl does not: its Kubernetes.
  const target = flags.talosVersion ? { talosVersion: talosVersionOf(flags.talosVersion) } : {}
  const config = readConfig(await readText(path), target)
  const mode = modeOf(flags.mode)
  const { warnings, errors } = validateConfig(config, { mode, strict, ...target })
  for (const warning of warnings) err(`WARNING: ${warning}\n`)
  if (errors.length > 0) throw new ConfigError(errorText(errors))
  out(`${path} is valid for ${mode} mode\n`)
}

function modeOf(text: string): (typeof MODES)[number] {
  const mode = MODES.find((one) => one === text)
  if (mode === undefined) throw new ConfigError(`unknown runtime mode: ${JSON.stringify(text)}`)
  return mode
}
