import { parseVersion } from '#machineconfig/versions/version.ts'
import type { Machine } from '#simulator/machine/machine.ts'

/** 13 for a machine that runs Talos v1.13.0. */
export const minorOf = ({ talosVersion }: Pick<Machine, 'talosVersion'>): number =>
  parseVersion(talosVersion)?.minor ?? 0
