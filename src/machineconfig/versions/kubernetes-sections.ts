import type { ConfigDocument, ValueMap } from '#machineconfig/document.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import {
  isOn,
  type Section,
  sectionAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import { isControlPlane, machineType } from '#machineconfig/validate/legacy/machine-type.ts'
import type { KubernetesComponent } from './kubernetes-components.ts'

/** Where a configuration speaks of a component. */
interface Place {
  /** The document of its own, which v1.14 has. */
  readonly kind: string
  /** In the document with `machine` and `cluster`. */
  readonly legacy: readonly ['machine' | 'cluster', string]
}

const PLACES: Readonly<Record<KubernetesComponent, Place>> = {
  apiServer: { kind: 'KubeAPIServerConfig', legacy: ['cluster', 'apiServer'] },
  controllerManager: {
    kind: 'KubeControllerManagerConfig',
    legacy: ['cluster', 'controllerManager'],
  },
  scheduler: { kind: 'KubeSchedulerConfig', legacy: ['cluster', 'scheduler'] },
  proxy: { kind: 'KubeProxyConfig', legacy: ['cluster', 'proxy'] },
  kubelet: { kind: 'KubeletConfig', legacy: ['machine', 'kubelet'] },
}

/** What a configuration says of a component. */
export interface ComponentSection {
  readonly fields: ValueMap
  /** For people: `cluster.apiServer`, `KubeAPIServerConfig`. */
  readonly path: string
  /** The document that says it, and where in there: at its root if it is the component's own. */
  readonly document: ConfigDocument
  readonly keys: readonly string[]
}

/**
 * What a configuration says of a component that runs by it; undefined if it says nothing, if the component is
 * switched off, or if it is part of the control plane and the machine a worker. A document of its own wins: Talos
 * refuses both.
 */
export function componentSection(
  config: MachineConfig,
  component: KubernetesComponent,
): ComponentSection | undefined {
  const { kind, legacy: keys } = PLACES[component]
  const { legacy } = config
  if (component !== 'kubelet' && !isForControlPlane(legacy?.fields)) return undefined
  const own = config.documents.find((document) => document.kind.kind === kind)
  if (own)
    return isOff(own) ? undefined : { fields: own.fields, path: kind, document: own, keys: [] }
  const fields = sectionAt(sectionAt(legacy?.fields, keys[0]), keys[1])
  if (!legacy || !fields || isSwitchedOff(legacy.fields, component)) return undefined
  return { fields, path: keys.join('.'), document: legacy, keys }
}

const isForControlPlane = (legacy: Section): boolean =>
  isControlPlane(machineType(textAt(sectionAt(legacy, 'machine'), 'type')))

const isOff = ({ fields }: ConfigDocument): boolean => valueAt(fields, 'enabled') === false

function isSwitchedOff(legacy: Section, component: KubernetesComponent): boolean {
  if (component === 'proxy') {
    return isOn(sectionAt(sectionAt(legacy, 'cluster'), component), 'disabled')
  }
  const controlPlane = sectionAt(sectionAt(legacy, 'machine'), 'controlPlane')
  return isOn(sectionAt(controlPlane, component), 'disabled')
}
