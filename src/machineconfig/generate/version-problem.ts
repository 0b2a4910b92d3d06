import type { ConfigDocument } from '#machineconfig/document.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { problemWithVersion } from '#machineconfig/read/newer-than.ts'

/**
 * What in a configuration a version of Talos does not have, and in which document. Undefined if it has
 * everything.
 */
export function versionProblem(config: MachineConfig, talosVersion: string): string | undefined {
  for (const document of config.documents) {
    const problem = problemWithVersion(document, talosVersion)
    if (problem !== undefined) return `${placeOf(document)}${problem}`
  }
  return undefined
}

const placeOf = ({ kind, fields }: ConfigDocument): string =>
  kind.kind === '' ? '' : `${kind.kind}${kind.named ? `/${fields.name ?? ''}` : ''}: `
