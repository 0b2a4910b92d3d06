import { timestampOf } from '#apiserver/objects.ts'
import type {
  ControlPlaneComponent,
  ControlPlaneFacts,
  StaticPodView,
} from '#simulator/kubernetes/cluster-kubernetes.ts'
import { COMPONENTS, mirrorPod } from './static-pod.ts'
import { staticPodStatus } from './static-pod-status.ts'

interface Surroundings {
  since(component: ControlPlaneComponent): Date
  hasQuorum: boolean
}

/** The static pods of a control plane as its kubelet reports them. Without etcd its API server runs, and does not answer. */
export const staticPodViews = (
  facts: ControlPlaneFacts,
  { since, hasQuorum }: Surroundings,
): StaticPodView[] =>
  COMPONENTS.map((component) => {
    const answers = hasQuorum || component !== 'kube-apiserver'
    const now = timestampOf(since(component))
    return {
      id: `kube-system/${component}-${facts.nodeName}`,
      isReady: answers && facts.components[component].state === 'running',
      status: staticPodStatus(mirrorPod(component, facts, ''), facts, { component, now, answers }),
    }
  })
