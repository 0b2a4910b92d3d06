import type { ControlPlane } from '#api/control-plane.ts'
import { BOOTSTRAP_MACHINE, CONTRACT, ETCD_SEEN, KUBE_VERSION } from '#api/labels.ts'

/**
 * What all configurations of a cluster are made for. It is written down once and does not follow the spec of a cluster
 * that runs: what the spec asks for then is an upgrade, which goes from machine to machine.
 */
export interface ClusterFacts {
  /** `v1.13`: the form that the cluster was made in, which every later Talos takes. */
  readonly contract: string
  readonly kubeVersion: string
}

/** What was written down; nothing is missing of a cluster that was made here. */
export function recordedFacts({ metadata }: ControlPlane): Partial<ClusterFacts> {
  const { [CONTRACT]: contract, [KUBE_VERSION]: kubeVersion } = metadata.annotations ?? {}
  return {
    ...(contract !== undefined && { contract }),
    ...(kubeVersion !== undefined && { kubeVersion }),
  }
}

/** Whether the cluster has begun, or is about to: until then the version of Kubernetes follows the spec. */
export function areFactsFixed({ metadata }: ControlPlane): boolean {
  const { [BOOTSTRAP_MACHINE]: chosen, [ETCD_SEEN]: seen } = metadata.annotations ?? {}
  return chosen !== undefined || seen !== undefined
}

/** How they are written down. */
export const factAnnotations = ({ contract, kubeVersion }: ClusterFacts) => ({
  [CONTRACT]: contract,
  [KUBE_VERSION]: kubeVersion,
})
