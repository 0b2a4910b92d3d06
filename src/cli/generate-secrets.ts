import { systemClock } from '#base/clock.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { writeBundle } from '#machineconfig/secrets/bundle-file.ts'
import { bundleFromConfig } from '#machineconfig/secrets/bundle-from-config.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { demandFree, readText, writeKeyFile } from './key-file.ts'
import type { Output } from './output.ts'
import { prefixed } from './prefixed.ts'
import { talosVersionOf } from './talos-version.ts'

const STDOUT = '-'
// Whatever the machine runs: only its keys are wanted.
const NEWEST = 'v1.14.0'

/** What `gen secrets` is told. */
export interface SecretsFlags {
  readonly force: boolean
  readonly outputFile: string
  readonly talosVersion?: string
  readonly fromControlplaneConfig?: string
}

/** Does what `gen secrets` was told. */
export async function generateSecrets(flags: SecretsFlags, { out }: Output): Promise<void> {
  const { force, outputFile: path } = flags
  const talosVersion = talosVersionOf(flags.talosVersion)
  if (path !== STDOUT) await demandFree([path], force)
  const bundle =
    flags.fromControlplaneConfig === undefined
      ? await generateBundle({ talosVersion, now: systemClock.now() })
      : await bundleOf(flags.fromControlplaneConfig)
  const text = writeBundle(bundle).open()
  if (path === STDOUT) return out(text)
  await writeKeyFile({ path, text, force })
}

async function bundleOf(path: string): Promise<SecretsBundle> {
  const config = await prefixed('failed to load controlplane config', async () =>
    readConfig(await readText(path), { talosVersion: NEWEST }),
  )
  return prefixed('failed to create secrets bundle', () => bundleFromConfig(config))
}
