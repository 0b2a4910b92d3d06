import { contractOf } from '#machineconfig/versions/contract.ts'

// Machines of v1.14 take this form as well as their own, and no older one takes theirs.
const NEWEST_FORM = 13

/** Which minor version's form the configuration for a version of Talos has. Throws as `contractOf`. */
export const formOf = (talosVersion: string): number =>
  Math.min(contractOf(talosVersion), NEWEST_FORM)
