/** A configuration and what `talosctl machineconfig patch` is given for it: one rule of patching. */
export interface PatchCase {
  readonly rule: string
  readonly base: string
  readonly patches: readonly string[]
}

/** A case as one line: its rule, the configuration, the patches. */
export const patching = (rule: string, base: string, ...patches: string[]): PatchCase => ({
  rule,
  base,
  patches,
})
