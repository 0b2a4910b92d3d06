import type { ControlPlane } from '#api/control-plane.ts'
import { KUBE_UPGRADE } from '#api/labels.ts'
import {
  type ComponentVersions,
  KUBERNETES_COMPONENTS,
  type KubernetesComponent,
} from '#machineconfig/versions/kubernetes-components.ts'
import { isNewer, parseVersion } from '#machineconfig/versions/version.ts'

// Another version of Kubernetes comes to a cluster component by component, and each of them machine by machine. How far it
// has come is one text on the control plane, which the configurations of all machines follow from.

/** In this order. While it is `preparing` nothing is changed; of a `stopped` one nothing is changed any more. */
export const STAGES = [
  'preparing',
  ...KUBERNETES_COMPONENTS,
  'workers',
  'manifests',
  'done',
  'stopped',
] as const

export type Stage = (typeof STAGES)[number]

/** How far an upgrade has come. */
export interface KubernetesRecord {
  readonly target: string
  readonly stage: Stage
  /** What the component that is moved at present had before; else the target. */
  readonly before: string
  /** What the configurations of the control plane are made for. */
  readonly versions: ComponentVersions
}

/** `v1.36.0 scheduler v1.35.0 apiServer=v1.36.0,…` */
export const kubernetesText = ({ target, stage, before, versions }: KubernetesRecord): string =>
  [target, stage, before, KUBERNETES_COMPONENTS.map((one) => `${one}=${versions[one]}`)].join(' ')

/** What was written down. Undefined: nothing, or nothing that can be read, which is then found out anew. */
export function kubernetesRecord({ metadata }: ControlPlane): KubernetesRecord | undefined {
  const [target = '', name, before = '', list = ''] =
    metadata.annotations?.[KUBE_UPGRADE]?.split(' ') ?? []
  const stage = STAGES.find((one) => one === name)
  const versions = versionsIn(list)
  const isWhole = versions && [target, before].every((text) => parseVersion(text) !== undefined)
  return stage && isWhole ? { target, stage, before, versions } : undefined
}

function versionsIn(list: string): ComponentVersions | undefined {
  const found = new Map(list.split(',').map((one) => splitAt(one)))
  const of = (component: KubernetesComponent) => found.get(component) ?? ''
  const versions = eachOf(of)
  return Object.values(versions).every((one) => parseVersion(one) !== undefined)
    ? versions
    : undefined
}

const splitAt = (text: string): [string, string] => {
  const [name = '', version = ''] = text.split('=')
  return [name, version]
}

/** A version for each component. */
export const eachOf = (of: (component: KubernetesComponent) => string): ComponentVersions => ({
  apiServer: of('apiServer'),
  controllerManager: of('controllerManager'),
  scheduler: of('scheduler'),
  proxy: of('proxy'),
  kubelet: of('kubelet'),
})

/** Whether machines are being moved to it, or may be at any moment: then Talos stays as it is. */
export const isMoving = (controlPlane: ControlPlane): boolean => {
  const { stage } = kubernetesRecord(controlPlane) ?? {}
  return stage !== undefined && stage !== 'done' && stage !== 'stopped'
}

/** What the configurations of its control plane machines are made for; undefined where nothing was ever upgraded. */
export const movedVersions = (controlPlane: ControlPlane): ComponentVersions | undefined =>
  kubernetesRecord(controlPlane)?.versions

/** Whether the first is older than the second. What is no version is no older one. */
export function isOlder(one: string | undefined, other: string): boolean {
  const [first, second] = [parseVersion(one ?? ''), parseVersion(other)]
  return first !== undefined && second !== undefined && isNewer(second, first)
}

/** The newer of two versions. */
export const newerOf = (one: string, other: string): string => (isOlder(one, other) ? other : one)
