import type { ProvidedMachine } from '#api/provided-machine.ts'
import { messageOf } from '#base/operator-error.ts'
import { releaseFor } from '#machineconfig/versions/contract.ts'
import { newDisk, newHardware } from '#simulator/fleet/new-hardware.ts'
import { seedOf } from '#simulator/fleet/seed-of.ts'
import type { Disk, Hardware } from '#simulator/machine/hardware.ts'
import { seededRandom } from '#simulator/random.ts'

/** The machine that a Machine asks for, as far as a simulated one can be that. */
export interface WantedMachine {
  /** Of the medium that it boots from. */
  readonly talosVersion: string
  readonly schematic: string | undefined
  readonly hardware: Hardware
  /** What the spec calls the disks, by their paths. */
  readonly diskNames: ReadonlyMap<string, string>
  /** The one that is asked for, if any is. */
  readonly address: string | undefined
}

/** Why something is not as it was asked for: a word, and a sentence. */
export interface Refusal {
  readonly reason: string
  readonly message: string
}

type Spec = NonNullable<ProvidedMachine['spec']>
type DiskSpec = NonNullable<Spec['disks']>[number]

const MIB = 1024 ** 2
const GIB = 1024 ** 3
/** As large as the KubeVirt provider makes a disk of no size. */
const USUAL_GIB = 10
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/**
 * What follows from a spec. The same Machine always gets the same UUID, its own uid, and the same hardware: no other
 * one ever has them, whatever address it is at.
 */
export function wantedMachine(
  { metadata, spec = {} }: ProvidedMachine,
  usualVersion: string,
): WantedMachine | Refusal {
  const medium = mediumOf(spec.os ?? {}, usualVersion)
  if ('reason' in medium) return medium
  const random = seededRandom(seedOf(0, metadata.uid ?? ''))
  const disks = disksOf(spec.disks ?? [], random)
  if ('reason' in disks) return disks
  const { network = {} } = spec
  const own = { ...sizeOf(spec), ...(disks.made.length > 0 && { disks: disks.made }) }
  return {
    ...medium,
    hardware: newHardware(random, { uuid: metadata.uid ?? '', ...own }),
    diskNames: disks.names,
    address: network.privateIP || network.publicIP || undefined,
  }
}

/** Of the image factory: what is in an image follows from its address. */
const FACTORY = /\/image\/([0-9a-f]{64})\/(v[^/]+)\//

function mediumOf(
  { distribution = '', version = '', isoUri = '', imageID = '' }: NonNullable<Spec['os']>,
  usualVersion: string,
): Pick<WantedMachine, 'talosVersion' | 'schematic'> | Refusal {
  if (!['', 'talos'].includes(distribution.toLowerCase())) {
    const message = `os.distribution is ${JSON.stringify(distribution)}: simulated machines boot talos and nothing else`
    return { reason: 'UnsupportedOperatingSystem', message }
  }
  const [, schematic, inImage] = FACTORY.exec(isoUri) ?? FACTORY.exec(imageID) ?? []
  const talosVersion = (inImage ?? (version || usualVersion)).replace(/^v?/, 'v')
  try {
    releaseFor(talosVersion)
    return { talosVersion, schematic }
  } catch (error) {
    return { reason: 'UnsupportedOperatingSystem', message: `os: ${messageOf(error)}` }
  }
}

function sizeOf({ cpu = {}, memory = 0 }: Spec): Partial<Pick<Hardware, 'cpus' | 'memoryMiB'>> {
  const { cores = 0, sockets = 1, threadsPerCore = 1 } = cpu
  return {
    ...(cores > 0 && { cpus: cores * sockets * threadsPerCore }),
    ...(memory > 0 && { memoryMiB: Math.max(1, Math.floor(memory / MIB)) }),
  }
}

interface WantedDisks {
  readonly made: readonly Disk[]
  readonly names: ReadonlyMap<string, string>
}

/** The one that the machine boots from comes first: it is what Talos is installed to unless told otherwise. */
function disksOf(all: readonly DiskSpec[], random: () => number): WantedDisks | Refusal {
  const named = all.map((disk, at) => ({ ...disk, name: disk.name || `disk-${at}` }))
  const ordered = [...named.filter(({ boot }) => boot), ...named.filter(({ boot }) => !boot)]
  const paths = pathsOf(ordered)
  const wrong = paths.find((path, at) => !isPath(path) || paths.indexOf(path) !== at)
  if (wrong !== undefined) {
    const message = `disks: ${JSON.stringify(wrong.slice(0, 60))} cannot be the device of a disk: it is a path in /dev that no other disk has`
    return { reason: 'InvalidDisk', message }
  }
  const made = ordered.map(({ sizeGB = USUAL_GIB, type = '' }, at) => ({
    ...newDisk(paths[at] ?? '', sizeGB * GIB, random),
    type: technologyOf(type),
  }))
  return { made, names: new Map(ordered.map(({ name }, at) => [paths[at] ?? '', name])) }
}

/** As they are told, and else the first letters that are free. Empty when these run out. */
function pathsOf(disks: readonly DiskSpec[]): readonly string[] {
  const told = new Set(disks.flatMap(({ device }) => device ?? []))
  const free = [...LETTERS].map((letter) => `/dev/sd${letter}`).filter((path) => !told.has(path))
  return disks.map(({ device }) => device || (free.shift() ?? ''))
}

const isPath = (path: string): boolean => /^\/dev\/[a-z0-9/_-]{1,60}$/i.test(path)

const technologyOf = (type: string): Disk['type'] => {
  if (/nvme/i.test(type)) return 'NVME'
  return /hdd|rotational/i.test(type) ? 'HDD' : 'SSD'
}
