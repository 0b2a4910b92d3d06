import { nodeRoutine } from './nodes/node-routine.ts'
import { staticPodsRoutine } from './nodes/static-pods-routine.ts'
import { evictionRoutine } from './pods/eviction-routine.ts'
import { kubeletRoutine } from './pods/kubelet-routine.ts'
import { schedulerRoutine } from './pods/scheduler-routine.ts'
import type { Routine } from './routine.ts'
import type { Scene } from './scene.ts'
import { daemonSetRoutine } from './workloads/daemon-set.ts'
import { deploymentRoutine } from './workloads/deployment.ts'
import { disruptionBudgetRoutine } from './workloads/disruption-budget.ts'
import { jobRoutine } from './workloads/job.ts'
import { replicaSetRoutine } from './workloads/replica-set.ts'
import { statefulSetRoutine } from './workloads/stateful-set.ts'

/** All that a pretend control plane and its kubelets do. */
export const routinesOf = (scene: Scene): Routine[] => [
  nodeRoutine(scene),
  staticPodsRoutine(scene),
  deploymentRoutine(scene),
  replicaSetRoutine(scene),
  statefulSetRoutine(scene),
  daemonSetRoutine(scene),
  jobRoutine(scene),
  schedulerRoutine(scene),
  kubeletRoutine(scene),
  disruptionBudgetRoutine(scene),
  evictionRoutine(scene),
]
