import type { ControlPlane } from '#api/control-plane.ts'
import { INSTALL_DISK, KUBE_UPGRADE, KUBE_VERSION } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import { recordedFacts } from '#engine/cluster-facts.ts'
import type { ClusterNodes } from '#engine/cluster-nodes.ts'
import { configTextOf } from '#engine/config-ref.ts'
import {
  configProblem,
  type KubernetesProblem,
  versionsProblem,
} from '#engine/kubernetes-checks.ts'
import { versionsHad } from '#engine/kubernetes-moves.ts'
import {
  eachOf,
  isMoving,
  isOlder,
  kubernetesRecord,
  kubernetesText,
  type Stage,
} from '#engine/kubernetes-record.ts'
import { isWellNow } from '#engine/pending.ts'
import { isTrue } from '#engine/pool-machines.ts'
import { isLeaving } from '#engine/removal.ts'
import { whoStands } from '#engine/standstill.ts'
import { wantedConfig } from '#engine/wanted-config.ts'
import { olderOf } from '#engine/wanted-config-cluster.ts'
import { keyOf } from '#kube/cache.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { removedResources } from '#machineconfig/versions/kubernetes-removals.ts'
import type { Reader } from '#runtime/reader.ts'
import { busyPools, namesOf, unlikeTalos } from './look-pools.ts'
import { hasBegun } from './machine-facts.ts'
import type { KubernetesSeen } from './world.ts'

export interface Known {
  controlPlane: ControlPlane
  /** Those of the control plane. */
  machines: readonly Machine[]
  pools: readonly Worker[]
  /** All that there are, of whomever. */
  all: readonly Machine[]
  bundle: SecretsBundle | undefined
  isApiAnswering: boolean
}

const NOTHING: KubernetesSeen = {
  ...{ problem: undefined, unlikeTalos: [], busyPools: [], poolsBehind: [], standing: undefined },
}

// Before the first machine is changed, and after the last one.
const ASKED_IN: readonly (Stage | undefined)[] = ['preparing', 'manifests']

/** What there is to know before Kubernetes is upgraded, and while it is. Nothing is asked of anybody while it is not to be. */
export async function lookAtKubernetes(
  known: Known,
  { nodes, read }: { nodes: ClusterNodes; read: Reader },
): Promise<KubernetesSeen> {
  const { controlPlane, machines, pools, all } = known
  const step = stepOf(controlPlane)
  if (!step || !hasBegun(machines)) return NOTHING
  const { stage, target } = kubernetesRecord(controlPlane) ?? {}
  const workers = all.filter(({ spec }) =>
    pools.some(({ metadata }) => metadata.name === spec?.workerRef?.name),
  )
  const everybody = [...machines, ...workers].filter((one) => !isLeaving(one))
  const isChecked = target === step.to && stage !== 'preparing' && stage !== 'stopped'
  const behind = pools.filter((pool) => isBehind(pool, workers, step.to))
  const ofThose = workers.filter(({ spec }) =>
    namesOf(behind).includes(spec?.workerRef?.name ?? ''),
  )
  return {
    problem: isChecked ? undefined : await problemOf(known, everybody, { step, nodes, read }),
    unlikeTalos: unlikeTalos(everybody),
    busyPools: ASKED_IN.includes(stage) ? await busyPools(controlPlane, read) : [],
    poolsBehind: namesOf(behind),
    standing: stage === 'workers' ? whoStands(ofThose) : undefined,
  }
}

/** From what to what; undefined if it is what it is to be. */
function stepOf(controlPlane: ControlPlane): { from: string; to: string } | undefined {
  const { kubeVersion: from } = recordedFacts(controlPlane)
  const { stage, target } = kubernetesRecord(controlPlane) ?? {}
  const wanted = controlPlane.spec?.kubeVersion
  // Its control plane has it, and the rest follows whatever the spec says since.
  const isFinishing = stage === 'workers' || stage === 'manifests'
  const to = isFinishing ? target : wanted
  if (from === undefined || to === undefined) return undefined
  return from === to && !isFinishing ? undefined : { from, to }
}

/** Whether machines of the pool that answer do not have the kubelets that the pool is to have now. */
function isBehind({ metadata, spec }: Worker, workers: readonly Machine[], to: string): boolean {
  const wanted = olderOf(to, spec?.kubeVersion ?? to)
  return workers.some(
    (machine) =>
      machine.spec?.workerRef?.name === metadata.name &&
      !isLeaving(machine) &&
      isTrue(machine, 'Reachable') &&
      (!isWellNow(machine) || isOlder(machine.status?.kubernetes?.kubelet, wanted)),
  )
}

interface Check {
  step: { from: string; to: string }
  nodes: ClusterNodes
  read: Reader
}

async function problemOf(
  known: Known,
  everybody: readonly Machine[],
  { step, nodes, read }: Check,
): Promise<KubernetesProblem | undefined> {
  const { controlPlane, machines, bundle, isApiAnswering } = known
  const has = versionsHad(controlPlane, machines)
  // Whoever is to run a Talos that has it is waited for; from then on Talos stays as it is.
  const waitsForTalos = !isMoving(controlPlane)
  const found = versionsProblem(everybody, { has, to: step.to, waitsForTalos })
  if (found || !bundle || !isApiAnswering) return found
  for (const machine of everybody) {
    const problem = await inConfigOf(machine, { ...known, bundle }, { step, read })
    if (problem) return problem
  }
  for (const one of removedResources(step)) {
    if (await nodes.hasObjectsOf(keyOf(controlPlane), one, read.signal)) {
      const name = `${one.resource}.${one.version}.${one.group}`
      const message = `Kubernetes ${step.to} does not have ${name} any more, and the cluster has objects of it. See \`kubectl get ${name} -A\`; move them to what has replaced it, or delete them`
      return { reason: 'KubernetesRemovesInUse', message }
    }
  }
  return undefined
}

/** What speaks against it in the configuration that a machine would have in the end. */
async function inConfigOf(
  machine: Machine,
  { controlPlane, pools, bundle }: Known & { bundle: SecretsBundle },
  { step, read }: Pick<Check, 'step' | 'read'>,
): Promise<KubernetesProblem | undefined> {
  const { name, annotations } = machine.metadata
  const worker = pools.find(({ metadata }) => metadata.name === machine.spec?.workerRef?.name)
  // A pool that is to stay behind is none of it.
  if (worker?.spec && isOlder(worker.spec.kubeVersion, step.to)) return undefined
  const configText = await configTextOf(machine.spec, read)
  const installDisk = annotations?.[INSTALL_DISK]
  try {
    const config = wantedConfig({
      ...{ controlPlane: asUpgraded(controlPlane, step.to), machine, bundle },
      ...(worker && { worker }),
      ...(configText !== undefined && { configText }),
      ...(installDisk !== undefined && { installDisk }),
    })
    return configProblem(name, config, step)
  } catch (error) {
    // Its machine says what is wrong with it.
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

/** As it is to be in the end. */
function asUpgraded(controlPlane: ControlPlane, target: string): ControlPlane {
  const versions = eachOf(() => target)
  const record = kubernetesText({ target, stage: 'done', before: target, versions })
  const annotations = {
    ...controlPlane.metadata.annotations,
    ...{ [KUBE_VERSION]: target, [KUBE_UPGRADE]: record },
  }
  return { ...controlPlane, metadata: { ...controlPlane.metadata, annotations } }
}
