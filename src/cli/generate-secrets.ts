import { systemClock } from '#base/clock.ts'
import { Secret } from '#base/secret.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { writeBundle } from '#machineconfig/secrets/bundle-file.ts'
import { bundleFromConfig } from '#machineconfig/secrets/bundle-from-config.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { demandFree, readText, writeKeyFile } from './key-file.ts'
import { readKubernetesPki } from './kubernetes-pki.ts'
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
  readonly fromKubernetesPki?: string
  readonly kubernetesBootstrapToken?: string
}

/** Does what `gen secrets` was told. */
export async function generateSecrets(flags: SecretsFlags, { out }: Output): Promise<void> {
  const { force, outputFile: path } = flags
  const talosVersion = talosVersionOf(flags.talosVersion)
  if (path !== STDOUT) await demandFree([path], force)
  const bundle = await bundleFor(flags, talosVersion)
  const text = writeBundle(bundle).open()
  if (path === STDOUT) return out(text)
  await writeKeyFile({ path, text, force })
}

/** As with talosctl, a flag without a value is as good as none, and the token goes with the folder alone. */
async function bundleFor(flags: SecretsFlags, talosVersion: string): Promise<SecretsBundle> {
  const {
    fromKubernetesPki: folder,
    fromControlplaneConfig: file,
    kubernetesBootstrapToken,
  } = flags
  const wanted = { talosVersion, now: systemClock.now() }
  if (!folder) return file ? bundleOf(file) : generateBundle(wanted)
  const kubernetes = await prefixed('failed to create secrets bundle', () =>
    readKubernetesPki(folder),
  )
  const bootstrapToken = kubernetesBootstrapToken ? new Secret(kubernetesBootstrapToken) : undefined
  return generateBundle({ ...wanted, kubernetes, ...(bootstrapToken && { bootstrapToken }) })
}

async function bundleOf(path: string): Promise<SecretsBundle> {
  const config = await prefixed('failed to load controlplane config', async () =>
    readConfig(await readText(path), { talosVersion: NEWEST }),
  )
  return prefixed('failed to create secrets bundle', () => bundleFromConfig(config))
}
