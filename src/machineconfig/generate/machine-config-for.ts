import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { applyPatches } from '#machineconfig/patch/apply-patches.ts'
import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import type { Patch } from '#machineconfig/patch/patch.ts'
import { type AdditionalDocument, withAdditionalDocuments } from './additional-documents.ts'
import { formOf } from './form.ts'
import { generateConfig } from './generate-config.ts'
import { clusterOptionsFor, type MachineOptions, withMachineOptions } from './machine-options.ts'
import type { ClusterOptions, Role } from './options.ts'

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
 * patches in their order, and the further documents. Throws a ConfigError that says which of them is wrong.
 */
export function machineConfigFor(request: MachineRequest): MachineConfig {
  const { role, cluster, machine = {}, registries, patches = [] } = request
  const generated = withMachineOptions(
    generateConfig(role, clusterOptionsFor(cluster, machine)),
    machine,
    formOf(cluster.talosVersion),
  )
  const patched = applyPatches(generated, [...registriesPatch(registries), ...patches])
  return withAdditionalDocuments(patched, generated, request.additionalDocuments ?? [])
}

const registriesPatch = (registries: unknown): Patch[] =>
  registries === undefined
    ? []
    : [loadPatch({ name: 'registries', value: { machine: { registries } } })]
