import { timestampOf } from '#apiserver/objects.ts'
import type { ControlPlaneFacts, StaticPodView } from '#simulator/kubernetes/cluster-kubernetes.ts'
import { runningStatus } from '#simulator/kubernetes/pods/pod-status.ts'
import { COMPONENTS, mirrorPod } from './static-pod.ts'

/** The static pods of a control plane as its kubelet reports them. Without etcd its API server runs, and does not answer. */
export function staticPodViews(
  facts: ControlPlaneFacts,
  { since, hasQuorum }: { since: Date; hasQuorum: boolean },
): StaticPodView[] {
  const home = { hostAddress: facts.address, address: facts.address }
  return COMPONENTS.map((component) => {
    const isReady = hasQuorum || component !== 'kube-apiserver'
    const pod = mirrorPod(component, facts, '')
    return {
      id: `kube-system/${component}-${facts.nodeName}`,
      isReady,
      status: runningStatus(pod, home, { now: timestampOf(since), isReady }),
    }
  })
}
