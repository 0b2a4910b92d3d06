import { ConfigError } from '#machineconfig/config-error.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { applyPatches } from '#machineconfig/patch/apply-patches.ts'
import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import type { Patch } from '#machineconfig/patch/patch.ts'
import { type AdditionalDocument, withAdditionalDocuments } from './additional-documents.ts'
import { formOf } from './form.ts'
import { generateConfig } from './generate-config.ts'
import { clusterOptionsFor, type MachineOptions, withMachineOptions } from './machine-options.ts'
import type { ClusterOptions, Role } from './options.ts'
import { versionProblem } from './version-problem.ts'

/** All that goes into the configuration of one machine. */
export interface MachineRequest {
  readonly role: Role
  readonly cluster: ClusterOptions
  readonly machine?: MachineOptions
  /** As under `machine.registries`, in whatever form the user wrote it. */
  readonly registries?: unknown
  /** Those of all machines first, then those of this one. */
  readonly patches?: readonly Patch[]
  readonly additionalDocuments?: readonly AdditionalDocument[]
}

/**
 * The configuration of one machine: generated, then the options of the machine, the registries, the
 * patches in their order, and the further documents. Throws a ConfigError that says which of them is wrong,
 * also if it asks for what the version of Talos that the machine installs does not have.
 */
export function machineConfigFor(request: MachineRequest): MachineConfig {
  const { role, cluster, machine = {}, registries, patches = [] } = request
  const talosVersion = machine.talosVersion ?? cluster.talosVersion
  const generated = withMachineOptions(
    generateConfig(role, clusterOptionsFor(cluster, machine)),
    machine,
    formOf(cluster.talosVersion),
  )
  const all = [...registriesPatch(registries), ...patches]
  const patched = applyPatches(generated, all)
  const problem = versionProblem(patched, talosVersion)
  if (problem !== undefined) {
    const isCause = (config: MachineConfig): boolean =>
      versionProblem(config, talosVersion) === problem
    throw new ConfigError(`${culprit(generated, all, isCause)}${problem}`)
  }
  const { additionalDocuments = [] } = request
  return withAdditionalDocuments({ patched, generated, talosVersion }, additionalDocuments)
}

/** The name of the first patch that has a problem for its effect, with a colon; '' if it was there before. */
function culprit(
  generated: MachineConfig,
  patches: readonly Patch[],
  isCause: (config: MachineConfig) => boolean,
): string {
  if (isCause(generated)) return ''
  const patch = patches.find((_, i) => isCause(applyPatches(generated, patches.slice(0, i + 1))))
  return patch ? `${patch.name}: ` : ''
}

const registriesPatch = (registries: unknown): Patch[] =>
  registries === undefined
    ? []
    : [loadPatch({ name: 'registries', value: { machine: { registries } } })]
