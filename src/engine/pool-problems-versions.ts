// What is wrong with the versions of a pool.

import { DEFAULT_KUBERNETES_VERSION, DEFAULT_TALOS_VERSION } from '#api/machine-pool.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { kubernetesProblem } from '#machineconfig/versions/compatibility.ts'
import { releaseFor } from '#machineconfig/versions/contract.ts'
import { entriesOf, firstOf, type PoolInput, type PoolProblem, parentOf } from './pool-input.ts'
import { olderOf } from './wanted-config-cluster.ts'

/** A version of Talos that is not served. */
export const talosProblem = (pool: PoolInput): PoolProblem | undefined =>
  firstOf(versionsOf(pool), ({ place, version }) => {
    const why = whyNotServed(version)
    if (why === undefined) return undefined
    return { reason: 'TalosVersionUnsupported', message: `${place}: ${why}. Choose one of these.` }
  })

function whyNotServed(version: string): string | undefined {
  try {
    releaseFor(version)
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** Versions of Talos and Kubernetes that do not go together. */
export function pairProblem(pool: PoolInput): PoolProblem | undefined {
  const kubernetes = kubernetesOf(pool)
  if (kubernetes === undefined) return undefined
  return firstOf(versionsOf(pool), ({ place, version }) => {
    const why = kubernetesProblem(version, kubernetes)
    if (why === undefined) return undefined
    return {
      reason: 'KubernetesVersionUnsupported',
      message: `${place} and spec.kubeVersion: ${why}. Change one of the two.`,
    }
  })
}

/** The version of Kubernetes that the machines get: kubelets are never ahead of the control plane. */
function kubernetesOf({ controlPlane, worker }: PoolInput): string | undefined {
  const wanted = controlPlane.spec?.kubeVersion
  if (wanted === undefined || !worker?.spec) return wanted
  return olderOf(wanted, worker.spec.kubeVersion)
}

function versionsOf(pool: PoolInput): { place: string; version: string }[] {
  const { version } = parentOf(pool).spec ?? {}
  const pinned = entriesOf(pool).flatMap((entry, at) =>
    entry.version === undefined
      ? []
      : [{ place: `spec.metalSpec.machines[${at}].version`, version: entry.version }],
  )
  return [...(version === undefined ? [] : [{ place: 'spec.version', version }]), ...pinned]
}

/** Versions of workers that are ahead of their control plane's. */
export const workerAheadProblem = (pool: PoolInput): PoolProblem | undefined =>
  ahead(pool).find(({ isWritten }) => isWritten)?.problem

/** The same where the schema's default is ahead, which nobody wrote: it does no harm. */
export const workerAheadWarnings = (pool: PoolInput): PoolProblem[] =>
  ahead(pool)
    .filter(({ isWritten }) => !isWritten)
    .map(({ problem }) => problem)

interface Ahead {
  problem: PoolProblem
  isWritten: boolean
}

function ahead({ controlPlane, worker }: PoolInput): Ahead[] {
  const [own, cluster] = [worker?.spec, controlPlane.spec]
  if (!own || !cluster) return []
  const fields = [
    { field: 'version', fallback: DEFAULT_TALOS_VERSION },
    { field: 'kubeVersion', fallback: DEFAULT_KUBERNETES_VERSION },
  ] as const
  return fields.flatMap(({ field, fallback }) => {
    const [has, may] = [own[field], cluster[field]]
    if (olderOf(has, may) === has) return []
    const message = `spec.${field} is ${has}, ahead of the ${may} of TalosControlPlane ${controlPlane.metadata.name}. Set it to ${may}, or raise the control plane's.`
    const problem: PoolProblem = { reason: 'WorkerAheadOfControlPlane', message }
    return [{ problem, isWritten: has !== fallback }]
  })
}
