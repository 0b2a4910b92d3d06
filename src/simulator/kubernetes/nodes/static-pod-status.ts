import type { Fields } from '#apiserver/objects.ts'
import type {
  ControlPlaneComponent,
  ControlPlaneFacts,
} from '#simulator/kubernetes/cluster-kubernetes.ts'
import { runningStatus, waitingStatus } from '#simulator/kubernetes/pods/pod-status.ts'

interface Seen {
  component: ControlPlaneComponent
  now: string
  /** Whether what runs does what it is for. */
  answers: boolean
}

/** The status of a static pod. */
export function staticPodStatus(
  pod: Fields,
  { address, components }: ControlPlaneFacts,
  { component, now, answers }: Seen,
): Fields {
  const home = { hostAddress: address, address }
  const { state, image } = components[component]
  if (state === 'running') return runningStatus(pod, home, { now, isReady: answers })
  if (state === 'starting') return waitingStatus(pod, home, { now, reason: 'ContainerCreating' })
  if (state === 'crashing') return waitingStatus(pod, home, { now, reason: 'CrashLoopBackOff' })
  const message = `Back-off pulling image ${JSON.stringify(image)}`
  return waitingStatus(pod, home, { now, reason: 'ImagePullBackOff', message })
}
