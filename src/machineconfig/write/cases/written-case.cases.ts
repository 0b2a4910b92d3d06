/** A configuration and what talosctl v1.13.0 makes of it: `machineconfig patch` with a patch that changes nothing. */
export interface WrittenCase {
  readonly text: string
  readonly written: string
}
