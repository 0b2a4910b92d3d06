import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import {
  type ComponentVersions,
  KUBERNETES_COMPONENTS,
  type KubernetesComponent,
} from '#machineconfig/versions/kubernetes-components.ts'
import { recordedFacts } from './cluster-facts.ts'
import {
  eachOf,
  isOlder,
  type KubernetesRecord,
  kubernetesRecord,
  newerOf,
  STAGES,
  type Stage,
} from './kubernetes-record.ts'
import { isWellNow } from './pending.ts'

// How a cluster goes from one version of Kubernetes to another. Everything here follows from what is written down and from
// what machines say that they have: so it goes on from wherever it was.

/** The stages in which machines of the control plane are changed. */
const isComponent = (stage: Stage): stage is KubernetesComponent =>
  KUBERNETES_COMPONENTS.some((one) => one === stage)

/** Where it begins. What some machine already has newer than was written down, all get. */
export function beginning(
  controlPlane: ControlPlane,
  machines: readonly Machine[],
  target: string,
): KubernetesRecord {
  const { kubeVersion = target } = recordedFacts(controlPlane)
  const known = kubernetesRecord(controlPlane)?.versions
  const versions = eachOf((component) =>
    machines.reduce(
      (newest, { status }) => newerOf(newest, status?.kubernetes?.[component] ?? newest),
      known?.[component] ?? kubeVersion,
    ),
  )
  return { target, stage: 'preparing', before: target, versions }
}

/** The same in its next stage. */
export function advanced(record: KubernetesRecord): KubernetesRecord {
  const stage = STAGES[STAGES.indexOf(record.stage) + 1] ?? 'done'
  return inStage(record, stage)
}

/** Begins anew with another target, in the middle of it. Only what would be newer than that is taken back. */
export function retargeted(
  record: KubernetesRecord,
  machines: readonly Machine[],
  target: string,
): KubernetesRecord {
  const { stage } = record
  const isBeyond = isComponent(stage) && isOlder(target, record.versions[stage])
  const versions = isBeyond ? settledVersions(record, machines) : record.versions
  return inStage({ ...record, target, versions }, 'apiServer')
}

/** What all machines have. What only some have got is what the others still have. */
function settledVersions(
  record: KubernetesRecord,
  machines: readonly Machine[],
): ComponentVersions {
  const { stage, before, versions } = record
  const isSettled = !isComponent(stage) || isThrough(record, machines)
  return isSettled ? versions : { ...versions, [stage]: before }
}

function inStage(record: KubernetesRecord, stage: Stage): KubernetesRecord {
  const { target, versions } = record
  if (!isComponent(stage)) return { ...record, stage, before: target }
  return { target, stage, before: versions[stage], versions: { ...versions, [stage]: target } }
}

/** The versions of which none may go back, by what is written down and what machines of the control plane have. */
export function versionsHad(controlPlane: ControlPlane, machines: readonly Machine[]): string[] {
  const { kubeVersion } = recordedFacts(controlPlane)
  const record = kubernetesRecord(controlPlane)
  const upgraded = record ? Object.values(settledVersions(record, machines)) : []
  return kubeVersion === undefined ? upgraded : [kubeVersion, ...upgraded]
}

/**
 * What is left of it when it is not to go on. What some machines have goes back to what the others still have; what all have
 * stays. Undefined: nothing was ever changed.
 */
export function stopped(
  record: KubernetesRecord,
  machines: readonly Machine[],
  kubeVersion: string,
): KubernetesRecord | undefined {
  const versions = settledVersions(record, machines)
  const isUnchanged = Object.values(versions).every((one) => one === kubeVersion)
  // From the first component on, a machine may have got something that nobody knows of yet.
  const isNothing = record.stage === 'preparing' && isUnchanged
  return isNothing ? undefined : { ...record, stage: 'stopped', versions }
}

/** Whether all machines of the control plane have what the present stage brings, and are well. */
export function isThrough(
  { stage, versions }: KubernetesRecord,
  machines: readonly Machine[],
): boolean {
  if (!isComponent(stage)) return machines.every(isWellNow)
  return machines.every(
    (machine) =>
      isWellNow(machine) &&
      machine.status?.kubernetes !== undefined &&
      !isOlder(machine.status.kubernetes[stage], versions[stage]),
  )
}

/**
 * The oldest version that anything of the control plane has. What answers at its endpoint counts only where machines have not
 * said: it is one of them, asked when the connection was made.
 */
export function oldestOf(answering: string, machines: readonly Machine[]): string {
  const all = machines.flatMap(({ status }) => Object.values(status?.kubernetes ?? {}))
  return all.reduce((oldest, one) => (isOlder(one, oldest) ? one : oldest), all[0] ?? answering)
}

const WORDS: Record<Stage, string> = {
  preparing: 'it is looked whether anything speaks against it',
  apiServer: 'the API servers',
  controllerManager: 'the controller managers',
  scheduler: 'the schedulers',
  proxy: 'what kube-proxy is to be',
  kubelet: 'the kubelets of the control plane',
  workers: 'the kubelets of the workers',
  manifests: 'what Talos runs in the cluster itself',
  done: 'all of it',
  stopped: 'nothing any more',
}

/** The stage in words: what is changed in it. */
export const wordsForStage = (stage: Stage): string => WORDS[stage]
