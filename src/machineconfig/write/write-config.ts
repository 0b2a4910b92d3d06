import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { writeStruct } from './write-value.ts'

/**
 * The configuration as YAML, byte by byte what `talosctl` writes with `--with-docs=false` and
 * `--with-examples=false`. It holds the cluster's keys.
 */
export const writeConfig = ({ documents }: MachineConfig): string =>
  documents.map(({ kind, fields }) => writeStruct(kind.shape, fields)).join('---\n')
