import type { ResetRequest } from '#simulator/machine/machine.ts'

/** What `talosctl reset --reboot` asks a machine for. */
export const WIPING: ResetRequest = {
  ...{ graceful: true, reboot: true, partitions: [], userDisks: [] },
  mode: 'ALL',
}
