import { MachineConfig } from '#machineconfig/machine-config.ts'
import { checkOptions } from './check-options.ts'
import { clusterSection } from './cluster-section.ts'
import { readEndpoint } from './endpoint.ts'
import { formOf } from './form.ts'
import { furtherDocuments } from './further-documents.ts'
import { machineSection } from './machine-section.ts'
import { newLegacyDocument } from './new-document.ts'
import type { ClusterOptions, Role } from './options.ts'

/**
 * The configuration of one kind of machine of a cluster, as `talosctl gen config --talos-version` makes
 * it. For v1.14 it has the form of v1.13, which such machines accept. Throws a ConfigError for options that
 * no cluster can be made from.
 */
export function generateConfig(role: Role, options: ClusterOptions): MachineConfig {
  const form = formOf(options.talosVersion)
  const reached = readEndpoint(options.endpoint)
  checkOptions(options, form)
  const legacy = newLegacyDocument({
    debug: options.debug ?? false,
    persist: options.persist ?? true,
    machine: machineSection(role, options, form),
    cluster: clusterSection(role, { ...options, reached }, form),
  })
  return new MachineConfig([legacy, ...furtherDocuments(options, form)])
}
