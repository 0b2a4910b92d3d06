import type { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import { installerImage } from '#machineconfig/versions/images.ts'
import { parseVersion, versionText } from '#machineconfig/versions/version.ts'
import type { Disk, Hardware } from './hardware.ts'
import type { TalosImage } from './kept/system-disk.ts'

/** Where Talos is to be installed, and which. */
export interface InstallFacts {
  readonly image: string
  /** As it is written; '' if a selector is to find one. */
  readonly disk: string
  /** By the document that came with v1.14. */
  readonly isUnattended: boolean
  /** The disk that the configuration means, of those that there are. */
  find(disks: Hardware['disks']): Disk | undefined
}

/** Reads `machine.install`, or the document that has its place from v1.14 on. */
export function installFacts(
  section: ConfigPlace,
  document: ConfigPlace,
  talosVersion: string,
): InstallFacts {
  const disk = namedBy(document) ?? section.text('disk')
  const hasDocument = document.value !== undefined
  const image = document.text('installer', 'image') || section.text('image')
  return {
    image: image || installerImage({ talosVersion }),
    disk,
    isUnattended: hasDocument,
    find: (disks) =>
      disk === '' && (hasDocument || section.at('diskSelector').value !== undefined)
        ? disks.find((one) => fits(one, section.at('diskSelector')))
        : disks.find(({ path }) => path === disk),
  }
}

/** The disk that a selector names, as generated configurations do; any other expression finds whichever is first. */
const namedBy = (document: ConfigPlace): string | undefined =>
  /^\s*disk\.dev_path\s*==\s*(["'])([^"']+)\1\s*$/.exec(
    document.text('provisioning', 'diskSelector', 'match'),
  )?.[2]

/** Whether a disk is one that `diskSelector` asks for; what it does not name fits. */
function fits(disk: Disk, selector: ConfigPlace): boolean {
  const asked: [want: string, is: string][] = [
    [selector.text('model'), disk.model],
    [selector.text('serial'), disk.serial],
    [selector.text('busPath'), disk.busPath],
    [selector.text('type').toUpperCase(), disk.type],
    [selector.text('name'), disk.path.replace('/dev/', '')],
  ]
  return (
    !disk.isReadOnly &&
    asked.every(([want, is]) => want === '' || globMatches(want, is)) &&
    sizeFits(disk.bytes, selector.text('size'))
  )
}

function globMatches(glob: string, text: string): boolean {
  // Pieces between stars, one after the other: no pattern takes long.
  const pieces = glob.split('*')
  const last = pieces.at(-1) ?? ''
  if (pieces.length === 1) return glob === text
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    const found = index === 0 ? (text.startsWith(piece) ? 0 : -1) : text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.endsWith(last)
}

const UNITS = new Map([
  ['', 1],
  ['B', 1],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
  ['KIB', 2 ** 10],
  ['MIB', 2 ** 20],
  ['GIB', 2 ** 30],
  ['TIB', 2 ** 40],
])

function sizeFits(bytes: number, condition: string): boolean {
  if (condition === '') return true
  const [, sign = '', amount = '', unit = ''] =
    /^\s*([<>=]{0,2})\s*([\d.]+)\s*([A-Za-z]*)\s*$/.exec(condition) ?? []
  const size = Number(amount) * (UNITS.get(unit.toUpperCase()) ?? 1)
  if (sign.includes('=') && bytes === size) return true
  if (sign.startsWith('<')) return bytes < size
  return sign.startsWith('>') ? bytes > size : bytes === size
}

const SCHEMATIC = /\/(?:[a-z]+-)?installer(?:-secureboot)?\/([0-9a-f]{64})(?:[:@]|$)/

const INSTALLER = /(?:^|\/)[^/:@]*installer[^/:@]*(?:[/:@]|$)/

/** Why an image cannot install Talos: it has no installer in it. By its name, for there is nothing to look into. */
export const installerProblem = (image: string): string | undefined =>
  INSTALLER.test(image)
    ? undefined
    : 'exec: "/bin/installer": stat /bin/installer: no such file or directory: unknown'

/** What an installer image installs: the version of its tag, or else the one that is given. */
export function installedBy(image: string, fallback: string): TalosImage {
  const [, tag = ''] = /:([\w.+-]+)(?:@[^@]*)?$/.exec(image) ?? []
  const version = parseVersion(tag)
  return {
    version: version ? `v${versionText(version)}` : fallback,
    schematic: SCHEMATIC.exec(image)?.[1],
  }
}
