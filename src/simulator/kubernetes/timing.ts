/** How long things take, in milliseconds of the fleet's clock. */
export interface KubernetesTiming {
  /** From when a pod is bound until it runs. */
  readonly podStartMs: number
  /** From when a pod is to end until it has, unless its grace period is shorter. */
  readonly podStopMs: number
  /** How long runs what is made to end. */
  readonly podRunMs: number
  /** For how long a kubelet may be silent before its node is taken for lost. */
  readonly nodeGraceMs: number
}

export const DEFAULT_TIMING: KubernetesTiming = {
  podStartMs: 1_000,
  podStopMs: 1_000,
  podRunMs: 1_000,
  nodeGraceMs: 40_000,
}
