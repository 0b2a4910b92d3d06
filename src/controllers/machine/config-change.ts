import { repositoryOf } from '#engine/installer.ts'
import { isOlder } from '#engine/kubernetes-record.ts'
import { RecentlyUsed } from '#engine/recently-used.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { classifyChange } from '#machineconfig/diff/classify.ts'
import { isOfNetwork } from '#machineconfig/diff/network-places.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { installerIn } from '#machineconfig/read/installer-in.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import {
  KUBERNETES_COMPONENTS,
  type KubernetesComponent,
} from '#machineconfig/versions/kubernetes-components.ts'
import {
  kubernetesImages,
  versionOfImage,
  versionsIn,
} from '#machineconfig/versions/kubernetes-images.ts'
import type { ConfigChange, KubernetesImage, Seen, Wanted } from './world.ts'

// A machine that waits for its turn is looked at again and again, and nothing of it changes.
const MOST = 256

/** What it takes to give machines the configurations that they are to have. To find out takes milliseconds. */
export class ConfigChanges {
  readonly #known = new RecentlyUsed<ConfigChange>(MOST)

  /** Undefined if they are the same, or if one of them cannot be read. */
  between(
    seen: Seen,
    wanted: Wanted,
    make: (() => MachineConfig) | undefined,
  ): ConfigChange | undefined {
    if (seen.is !== 'member' || wanted.is !== 'known' || !make) return undefined
    const { config, fingerprint, version } = seen
    if (!config || fingerprint === undefined) return undefined
    if (fingerprint === wanted.fingerprint) return undefined
    const key = [fingerprint, wanted.fingerprint, version].join(' ')
    const known = this.#known.get(key)
    if (known) return known
    const change = changeTo(make(), { text: config.open(), version })
    if (change) this.#known.set(key, change)
    return change
  }
}

function changeTo(
  wanted: MachineConfig,
  { text, version }: { text: string; version: string },
): ConfigChange | undefined {
  const has = readable(text)
  if (!has) return undefined
  const { changes } = classifyChange(has, wanted, { talosVersion: version })
  const places = changes.map(({ document, path }) =>
    document === 'v1alpha1' ? path : `${document} ${path}`.trim(),
  )
  return {
    // What is only for the next installation is taken at once, and says nothing of what else there is.
    needs: changes.some(({ effort }) => effort === 'reboot') ? 'reboot' : 'live',
    isOfNetwork: changes.some(isOfNetwork),
    places: [...new Set(places)].sort(),
    images: newImages(has, wanted),
    moved: movedBy(has, wanted),
    older: olderIn(wanted, has),
    ...otherInstaller(has, wanted),
  }
}

function otherInstaller(
  has: MachineConfig,
  wanted: MachineConfig,
): Pick<ConfigChange, 'installer'> {
  const [before, after] = [installerIn(has), installerIn(wanted)]
  const isSame = after === undefined || repositoryOf(after) === repositoryOf(before ?? '')
  return isSame ? {} : { installer: { before, after } }
}

function newImages(has: MachineConfig, wanted: MachineConfig): KubernetesImage[] {
  const [before, after] = [kubernetesImages(has), kubernetesImages(wanted)]
  return KUBERNETES_COMPONENTS.flatMap((component) => {
    const image = after[component]
    return image === undefined || image === before[component] ? [] : [{ component, image }]
  })
}

/** An image of another registry alone is no other version; of one without a version nobody knows. */
function movedBy(has: MachineConfig, wanted: MachineConfig): KubernetesComponent[] {
  const before = versionsIn(has)
  return newImages(has, wanted)
    .filter(({ component, image }) => before[component] !== (versionOfImage(image) ?? ''))
    .map(({ component }) => component)
}

function olderIn(wanted: MachineConfig, has: MachineConfig): KubernetesComponent[] {
  const [before, after] = [versionsIn(has), versionsIn(wanted)]
  return KUBERNETES_COMPONENTS.filter((one) => isOlder(after[one], before[one] ?? ''))
}

function readable(text: string): MachineConfig | undefined {
  try {
    return readConfig(text)
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
