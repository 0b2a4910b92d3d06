import type { Clock } from '#base/clock.ts'
import type { ClusterFacts } from './cluster-kubernetes.ts'
import type { ControlPlanes } from './nodes/control-planes.ts'
import type { Kubelets } from './nodes/kubelets.ts'
import type { Objects } from './objects.ts'
import type { PodIndex } from './pods/pod-index.ts'
import type { KubernetesTiming } from './timing.ts'

/** What the parts of a pretend Kubernetes work with. */
export interface Scene {
  readonly facts: ClusterFacts
  readonly clock: Clock
  readonly timing: KubernetesTiming
  readonly objects: Objects
  readonly pods: PodIndex
  /** What is so whether an API answers or not. */
  readonly kubelets: Kubelets
  readonly controlPlanes: ControlPlanes
}
