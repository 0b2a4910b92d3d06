import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument, Value, ValueMap } from '#machineconfig/document.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { isSection, textAt } from '#machineconfig/validate/checks/fields.ts'
import {
  type ComponentVersions,
  KUBERNETES_COMPONENTS,
  type KubernetesComponent,
} from './kubernetes-components.ts'
import { type ComponentSection, componentSection } from './kubernetes-sections.ts'
import { isNewer, parseVersion, type Version, versionText } from './version.ts'

// Another tail, as of a build of somebody's own, is not of the next version: such a tag is nobody's to move.
const TAGGED = /^(.+):(v\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)(-fat|-slim)?$/

/** The images that a configuration names for the components which run by it. Talos chooses the others. */
export function kubernetesImages(
  config: MachineConfig,
): Partial<Record<KubernetesComponent, string>> {
  const images = KUBERNETES_COMPONENTS.map(
    (component) =>
      [component, textAt(componentSection(config, component)?.fields, 'image')] as const,
  )
  return Object.fromEntries(images.filter(([, image]) => image !== ''))
}

/**
 * The version that the tag of an image of Kubernetes says, as `v1.36.0`. Undefined if it has no tag, or one that is
 * not just a version: what is in such an image nobody knows.
 */
export const versionOfImage = (image: string): string | undefined => taggedImage(image)?.version

interface TaggedImage {
  readonly repository: string
  readonly version: string
  /** `-fat`, `-slim` or nothing. */
  readonly variant: string
}

function taggedImage(image: string): TaggedImage | undefined {
  const [name = ''] = image.split('@', 1)
  const [, repository, version, variant = ''] = TAGGED.exec(name) ?? []
  return repository !== undefined && version !== undefined
    ? { repository, version, variant }
    : undefined
}

/**
 * A configuration whose images are at these versions: registry and variant stay, a digest goes, because it is that
 * of the old one. Versions only go up, and what is not named, switched off or has another tag stays as it is. Throws
 * a ConfigError for a version that is none.
 */
export function withKubernetesVersions(
  config: MachineConfig,
  versions: Partial<ComponentVersions>,
): MachineConfig {
  return KUBERNETES_COMPONENTS.reduce((changed, component) => {
    const version = versions[component]
    return version === undefined ? changed : withVersion(changed, component, checked(version))
  }, config)
}

function checked(text: string): Version {
  const version = parseVersion(text)
  if (version) return version
  throw new ConfigError(`${JSON.stringify(text.slice(0, 40))} is not a version of Kubernetes`)
}

function withVersion(
  config: MachineConfig,
  component: KubernetesComponent,
  wanted: Version,
): MachineConfig {
  const section = componentSection(config, component)
  const tagged = taggedImage(textAt(section?.fields, 'image'))
  const current = tagged && parseVersion(tagged.version)
  if (!section || !current || !isNewer(wanted, current)) return config
  const image = `${tagged.repository}:v${versionText(wanted)}${tagged.variant}`
  return new MachineConfig(
    config.documents.map((document) =>
      document === section.document ? withImage(section, image) : document,
    ),
  )
}

const withImage = ({ document, keys }: ComponentSection, image: string): ConfigDocument => ({
  ...document,
  fields: replaced(document.fields, [...keys, 'image'], image),
})

function replaced(
  fields: ValueMap,
  [key = '', ...rest]: readonly string[],
  image: string,
): ValueMap {
  const inner: Value | undefined = fields[key]
  return { ...fields, [key]: isSection(inner) ? replaced(inner, rest, image) : image }
}

/** The versions of those images, as far as they say any. */
export function versionsIn(config: MachineConfig): Partial<ComponentVersions> {
  const versions = Object.entries(kubernetesImages(config)).map(
    ([component, image]) => [component, versionOfImage(image)] as const,
  )
  return Object.fromEntries(versions.filter(([, version]) => version !== undefined))
}
