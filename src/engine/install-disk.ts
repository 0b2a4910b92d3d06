import { naturalOrder } from '#base/natural-order.ts'
import type { DiskSeen } from './install-disk-seen.ts'

/** Why Talos cannot be installed: a reason for programs, and a sentence that says what to change. */
export interface DiskProblem {
  reason: 'NoInstallDisk' | 'InstallDiskMissing' | 'InstallDiskReadOnly' | 'InstallDiskTooSmall'
  message: string
}

const GIB = 1024 ** 3

/**
 * The least that Talos calls enough (`minimal.DiskSize`, the same from v1.5 to v1.13): `talosctl health` refuses a
 * machine with less. Its partitions alone take 4.2 GiB, 2 GiB of it for EPHEMERAL.
 */
const SMALLEST_BYTES = 6 * GIB

// What the kernel shows as a block device and that no installation outlives or boots from.
const NO_DISK = /^\/dev\/(loop|ram|zram|sr|fd|dm-|md|nbd|rbd|drbd|zd|mtdblock)\d/
const MOST_SHOWN = 10

/**
 * The disk to install Talos on when nobody named one: writable, large enough, on USB only if there is nothing else; flash
 * before what rotates; then the smallest, which leaves the large ones for data; then by path. The same disks
 * yield the same answer in any order, but a machine may name its disks anew at each boot: ask once, keep it.
 */
export function pickDisk(disks: readonly DiskSeen[]): { path: string } | { problem: DiskProblem } {
  const fit = disks.filter((disk) => isDisk(disk) && !disk.isReadOnly)
  const [best] = fit.filter(isLarge).toSorted(byPreference)
  if (best) return { path: best.path }
  return { problem: fit.length === 0 ? nothingFit(disks) : allTooSmall(fit) }
}

/** Why Talos cannot be installed on the disk that the spec names; undefined if it can. */
export function diskProblem(wanted: string, disks: readonly DiskSeen[]): DiskProblem | undefined {
  const disk = disks.find(({ path, symlinks = [] }) => path === wanted || symlinks.includes(wanted))
  if (!disk) return hasUnknownLinks(wanted, disks) ? undefined : missing(wanted, disks)
  if (disk.isReadOnly || disk.isCd) {
    return {
      reason: 'InstallDiskReadOnly',
      message: `${wanted} cannot be written. Set machineSpec.installDisk to another disk; the machine has ${shown(disks)}.`,
    }
  }
  if (isLarge(disk)) return undefined
  return {
    reason: 'InstallDiskTooSmall',
    message: `${wanted} has ${size(disk)}, and Talos needs ${gib(SMALLEST_BYTES)}. Set machineSpec.installDisk to a larger disk, or enlarge it; the machine has ${shown(disks)}.`,
  }
}

const isDisk = ({ path, isCd }: DiskSeen): boolean => !(isCd || NO_DISK.test(path))

const isLarge = ({ sizeBytes }: DiskSeen): boolean => sizeBytes >= SMALLEST_BYTES

const byPreference = (one: DiskSeen, other: DiskSeen): number =>
  Number(one.isUsb) - Number(other.isUsb) ||
  Number(other.isFlash) - Number(one.isFlash) ||
  one.sizeBytes - other.sizeBytes ||
  naturalOrder(one.path, other.path)

/** Machines before v1.8 do not tell which other paths lead to a disk. */
const hasUnknownLinks = (wanted: string, disks: readonly DiskSeen[]): boolean =>
  wanted.startsWith('/dev/disk/') && disks.some(({ symlinks }) => symlinks === undefined)

const nothingFit = (disks: readonly DiskSeen[]): DiskProblem => ({
  reason: 'NoInstallDisk',
  message: `The machine has no disk that Talos can be installed on: it has ${shown(disks)}. Attach a writable disk of at least ${gib(SMALLEST_BYTES)}, or set machineSpec.installDisk.`,
})

const allTooSmall = (disks: readonly DiskSeen[]): DiskProblem => ({
  reason: 'InstallDiskTooSmall',
  message: `No disk of the machine is large enough for Talos, which needs ${gib(SMALLEST_BYTES)}: it has ${shown(disks)}. Attach a larger disk.`,
})

const missing = (wanted: string, disks: readonly DiskSeen[]): DiskProblem => ({
  reason: 'InstallDiskMissing',
  message: `The machine has no disk ${wanted}: it has ${shown(disks)}. Set machineSpec.installDisk to one of these, or leave it out.`,
})

function shown(disks: readonly DiskSeen[]): string {
  const real = disks.filter(isDisk).toSorted((a, b) => naturalOrder(a.path, b.path))
  if (real.length === 0) return 'none'
  const more = real.length > MOST_SHOWN ? [`${real.length - MOST_SHOWN} more`] : []
  return [...real.slice(0, MOST_SHOWN).map(described), ...more].join(', ')
}

const described = (disk: DiskSeen): string =>
  `${disk.path} (${size(disk)}${disk.isReadOnly ? ', read-only' : ''})`

const size = ({ sizeBytes }: DiskSeen): string => gib(sizeBytes)

const gib = (bytes: number): string => `${Math.floor((bytes / GIB) * 10) / 10} GiB`
