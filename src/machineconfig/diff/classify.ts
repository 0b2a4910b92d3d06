import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { contractOf } from '#machineconfig/versions/contract.ts'
import { type Change, changesBetween } from './changes.ts'

/**
 * What it takes for a change to be in force: nothing, because there is none; nothing but to send it;
 * a reboot; an installation, which is what an upgrade does as well.
 */
type Effort = 'none' | 'live' | 'reboot' | 'install'

export interface Effect {
  readonly effort: Effort
  /** Each change with what it takes. */
  readonly changes: readonly (Change & { readonly effort: Effort })[]
}

const EFFORTS: readonly Effort[] = ['none', 'live', 'reboot', 'install']

/** What a machine with that version of Talos needs to get from one configuration to the other. */
export function classifyChange(
  before: MachineConfig,
  after: MachineConfig,
  { talosVersion }: { talosVersion: string },
): Effect {
  const minor = contractOf(talosVersion)
  const changes = changesBetween(before, after).map((change) => ({
    ...change,
    effort: effortOf(change, minor),
  }))
  const efforts = new Set(changes.map(({ effort }) => effort))
  const effort = EFFORTS.findLast((one) => efforts.has(one)) ?? 'none'
  return { effort, changes }
}

/** Whether machines of that version take every change without a reboot, also those that come into force by one. */
export const takesAllAtOnce = (talosVersion: string): boolean => contractOf(talosVersion) >= 14

// The first minor version whose machines take a change of it without a reboot. All else needs one.
const liveSince: ReadonlyMap<string, number> = new Map([
  ['debug', 5],
  ['cluster', 5],
  ['machine.time', 5],
  ['machine.certSANs', 5],
  ['machine.network', 5],
  ['machine.sysfs', 5],
  ['machine.sysctls', 5],
  ['machine.logging', 5],
  ['machine.controlPlane', 5],
  ['machine.kubelet', 5],
  ['machine.kernel', 5],
  ['machine.registries', 5],
  ['machine.pods', 5],
  ['machine.nodeLabels', 5],
  ['machine.features.kubernetesTalosAPIAccess', 5],
  ['machine.seccompProfiles', 6],
  ['machine.nodeTaints', 6],
  ['machine.features.kubePrism', 6],
  ['machine.ca', 9],
  ['machine.acceptedCAs', 9],
  ['machine.nodeAnnotations', 9],
  ['machine.features.hostDNS', 9],
  ['machine.features.imageCache', 9],
  ['machine.features.nodeAddressSortAlgorithm', 9],
])

function effortOf({ document, path }: Change, minor: number): Effort {
  if (document === 'UnattendedInstallConfig') return 'install'
  // Talos takes every other document than the first at once, whatever is in it.
  if (document !== 'v1alpha1') return 'live'
  if (isWithin(path, 'machine.install')) return 'install'
  const isLive = [...liveSince].some(([live, since]) => minor >= since && isWithin(path, live))
  return isLive ? 'live' : 'reboot'
}

const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
