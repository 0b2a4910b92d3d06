import type { Value } from '#machineconfig/document.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import {
  keysAt,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import { KUBERNETES_COMPONENTS, type KubernetesComponent } from './kubernetes-components.ts'
import { type Removals, removals } from './kubernetes-removals-table.ts'
import { type ComponentSection, componentSection } from './kubernetes-sections.ts'
import { parseVersion } from './version.ts'

/** From one version of Kubernetes to another. */
export interface KubernetesStep {
  readonly from: string
  readonly to: string
}

/** Something that a configuration asks for and that the next version does not have. */
export interface RemovedUse {
  readonly component: KubernetesComponent
  readonly kind: 'flag' | 'feature gate' | 'admission plugin'
  readonly name: string
  /** Where it stands: `cluster.apiServer.extraArgs.cloud-config`. */
  readonly path: string
}

/** A kind of object that the next version does not have, in no version of its API. */
export interface RemovedResource {
  readonly resource: string
  readonly version: string
  readonly group: string
}

// Both refuse the name of a plugin that there is not.
const PLUGIN_FLAGS = new Set(['enable-admission-plugins', 'disable-admission-plugins'])

/**
 * What in a configuration the next version of Kubernetes would not start with, in a fixed order. A step between
 * patches removes nothing, and neither does one of what is no version.
 */
export function removedInUse(config: MachineConfig, step: KubernetesStep): RemovedUse[] {
  const removed = removedBy(step)
  return KUBERNETES_COMPONENTS.flatMap((component) => {
    const uses = usesOf(config, component)
    return uses.filter(({ kind, name }) =>
      removed.some((one) => namesOf(one, component, kind).includes(name)),
    )
  })
}

/** The kinds of objects that go with a step. What is left of them has to go before. */
export const removedResources = (step: KubernetesStep): RemovedResource[] =>
  removedBy(step)
    .flatMap(({ resources = [] }) => resources)
    .map((name) => {
      const [resource = '', version = '', ...group] = name.split('.')
      return { resource, version, group: group.join('.') }
    })

function removedBy({ from, to }: KubernetesStep): Removals[] {
  const [start, end] = [parseVersion(from), parseVersion(to)]
  if (start?.major !== 1 || end?.major !== 1) return []
  return [...removals]
    .filter(([minor]) => minor > start.minor && minor <= end.minor)
    .map(([, one]) => one)
}

function namesOf(
  { flags = {}, featureGates = [], admissionPlugins = [] }: Removals,
  component: KubernetesComponent,
  kind: RemovedUse['kind'],
): readonly string[] {
  if (kind === 'flag') return flags[component] ?? []
  return kind === 'feature gate' ? featureGates : admissionPlugins
}

/** All that a configuration asks of a component, removed or not. */
function usesOf(config: MachineConfig, component: KubernetesComponent): RemovedUse[] {
  const section = componentSection(config, component)
  const plugins = component === 'apiServer' ? pluginDocuments(config) : []
  const own = section
    ? [...argumentUses(section), ...gateUses(section), ...pluginUses(section)]
    : []
  return [...own, ...plugins].map((use) => ({ component, ...use }))
}

type Use = Omit<RemovedUse, 'component'>

function argumentUses({ fields, path }: ComponentSection): Use[] {
  const given = sectionAt(fields, 'extraArgs')
  return keysAt(fields, 'extraArgs').flatMap((key) => {
    const at = `${path}.extraArgs.${key}`
    // Kubernetes reads an underscore in the name of a flag as a hyphen.
    const flag = key.replaceAll('_', '-')
    const names = namesIn(valueAt(given, key))
    return [
      { kind: 'flag' as const, name: flag, path: at },
      ...(flag === 'feature-gates' ? names.map(asGate(at)) : []),
      ...(PLUGIN_FLAGS.has(flag) ? names.map(asPlugin(at)) : []),
    ]
  })
}

/** `A=true,B=false` or `A,B`, once or as a list of such: the names. */
function namesIn(value: Value | undefined): string[] {
  const texts = Array.isArray(value) ? value : [value]
  return texts
    .filter((text): text is string => typeof text === 'string')
    .flatMap((text) => text.split(','))
    .map((item) => item.replace(/=.*$/s, '').trim())
}

/** Of the component's own configuration file. */
const gateUses = ({ fields, path }: ComponentSection): Use[] =>
  ['extraConfig', 'config'].flatMap((key) =>
    keysAt(sectionAt(fields, key), 'featureGates').map((name) =>
      asGate(`${path}.${key}.featureGates.${name}`)(name),
    ),
  )

const pluginUses = ({ fields, path }: ComponentSection): Use[] =>
  sectionsAt(fields, 'admissionControl').map((plugin: Section) => {
    const name = textAt(plugin, 'name')
    return asPlugin(`${path}.admissionControl[${name}]`)(name)
  })

const pluginDocuments = ({ documents }: MachineConfig): Use[] =>
  documents
    .filter(({ kind }) => kind.kind === 'KubeAdmissionControlConfig')
    .map(({ fields }) => textAt(fields, 'name'))
    .map((name) => asPlugin(`KubeAdmissionControlConfig/${name}`)(name))

const asGate =
  (path: string) =>
  (name: string): Use => ({ kind: 'feature gate', name, path })

const asPlugin =
  (path: string) =>
  (name: string): Use => ({ kind: 'admission plugin', name, path })
