import { systemClock } from '#base/clock.ts'
import type { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readEndpoint } from '#machineconfig/generate/endpoint.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { ClusterOptions, Role } from '#machineconfig/generate/options.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { applyPatches } from '#machineconfig/patch/apply-patches.ts'
import type { Patch } from '#machineconfig/patch/patch.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { readBundle } from '#machineconfig/secrets/bundle-file.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { talosconfigFor } from '#machineconfig/secrets/talosconfig.ts'
import { writeTalosconfig } from '#machineconfig/secrets/talosconfig-file.ts'
import { defaultKubernetes } from '#machineconfig/versions/images.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { ConfigFlags } from './config-flags.ts'
import { demandFree, readText, writeKeyFile } from './key-file.ts'
import type { Output } from './output.ts'
import { type OutputType, outputPaths, STDOUT } from './output-paths.ts'
import { loadPatches } from './patch-arguments.ts'
import { prefixed } from './prefixed.ts'
import { registryMirrors } from './registry-mirrors.ts'
import { talosVersionOf } from './talos-version.ts'

interface Cluster {
  readonly name: string
  readonly endpoint: string
}

/** Does what `gen config` was told. */
export async function generateFiles(
  cluster: Cluster,
  flags: ConfigFlags,
  output: Output,
): Promise<void> {
  readEndpoint(cluster.endpoint)
  if (flags.version !== 'v1alpha1') {
    throw new ConfigError(`unknown config version: ${JSON.stringify(flags.version)}`)
  }
  const paths = outputPaths(flags, process.cwd())
  const files = [...paths.values()].filter((path) => path !== STDOUT)
  await demandFree(files, flags.force)
  const texts = await textsFor(cluster, flags, output)
  for (const [type, path] of paths) {
    const text = await texts[type]()
    if (path === STDOUT) {
      output.out(text)
      continue
    }
    await writeKeyFile({ path, text, force: flags.force, withFolders: true })
    output.err(`Created ${path}\n`)
  }
}

type Texts = Record<OutputType, () => string | Promise<string>>

async function textsFor(cluster: Cluster, flags: ConfigFlags, { err }: Output): Promise<Texts> {
  const mirrors = registryMirrors(flags.registryMirror)
  const talosVersion = talosVersionOf(flags.talosVersion)
  const given = await givenSecrets(flags.withSecrets)
  const patches = await prefixed('error parsing config JSON patch', () => patchesIn(flags))
  err('generating PKI and tokens\n')
  const secrets = given ?? (await generateBundle({ talosVersion, now: systemClock.now() }))
  const options = optionsFor({ cluster, flags, secrets, talosVersion, mirrors })
  const configs = await prefixed('failed to generate config bundle', () =>
    patchedConfigs(options, patches),
  )
  return {
    controlplane: () => writeConfig(configs.controlplane),
    worker: () => writeConfig(configs.worker),
    talosconfig: async () => (await talosconfigOf(cluster.name, secrets)).open(),
  }
}

const givenSecrets = async (path = ''): Promise<SecretsBundle | undefined> =>
  path === ''
    ? undefined
    : readBundle(await prefixed('failed to load secrets bundle', () => readText(path)))

interface Given {
  readonly cluster: Cluster
  readonly flags: ConfigFlags
  readonly secrets: SecretsBundle
  readonly talosVersion: string
  readonly mirrors: Readonly<Record<string, readonly string[]>>
}

const optionsFor = (given: Given): ClusterOptions => {
  const { cluster, flags, secrets, talosVersion, mirrors } = given
  const { installDisk, installImage, additionalSans, dnsDomain } = flags
  return {
    clusterName: cluster.name,
    endpoint: cluster.endpoint,
    ...{ secrets, talosVersion },
    kubernetesVersion: flags.kubernetesVersion ?? defaultKubernetes(talosVersion),
    install: {
      ...(installDisk !== undefined && { disk: installDisk }),
      ...(installImage !== undefined && { image: installImage }),
    },
    ...(additionalSans && { additionalSans }),
    ...(dnsDomain !== undefined && { dnsDomain }),
    ...(flags.withKubespan && { kubeSpan: true }),
    discovery: flags.withClusterDiscovery,
    registryMirrors: mirrors,
  }
}

interface Patches {
  readonly all: readonly Patch[]
  readonly controlplane: readonly Patch[]
  readonly worker: readonly Patch[]
}

const patchesIn = async (flags: ConfigFlags): Promise<Patches> => ({
  all: await loadPatches('--config-patch', flags.configPatch),
  controlplane: await loadPatches('--config-patch-control-plane', flags.configPatchControlPlane),
  worker: await loadPatches('--config-patch-worker', flags.configPatchWorker),
})

/** Both are made, whichever is asked for: a patch that does not apply is a mistake. */
async function patchedConfigs(
  options: ClusterOptions,
  { all, controlplane, worker }: Patches,
): Promise<Record<Role, MachineConfig>> {
  const common = (role: Role) =>
    prefixed('error patching configs', () => applyPatches(generateConfig(role, options), all))
  const both = { controlplane: await common('controlplane'), worker: await common('worker') }
  return {
    controlplane: await prefixed('error patching control plane configs', () =>
      applyPatches(both.controlplane, controlplane),
    ),
    worker: await prefixed('error patching worker config', () => applyPatches(both.worker, worker)),
  }
}

async function talosconfigOf(
  clusterName: string,
  { talos }: SecretsBundle,
): Promise<Secret<string>> {
  return writeTalosconfig(
    await talosconfigFor({ clusterName, endpoints: [], ca: talos, now: systemClock.now() }),
  )
}
