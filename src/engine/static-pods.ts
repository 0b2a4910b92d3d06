import { Pod } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import type { KubeClient } from '#kube/client.ts'

const DEADLINE_MS = 15_000

/** A part of Kubernetes that the kubelet of a control plane machine runs from a file. */
export interface StaticPod {
  /** `kube-apiserver` … */
  app: string
  image: string
  isReady: boolean
  /** What its container waits for, in Kubernetes' word; empty if it does not say. */
  why: string
}

const APPS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']

/** Those on a node, as its kubelet has told them to the API server. Nothing is kept. */
export async function staticPodsOn(
  client: KubeClient,
  node: string,
  signal: AbortSignal,
): Promise<StaticPod[]> {
  const selection = {
    namespace: 'kube-system',
    fieldSelector: `spec.nodeName=${node}`,
    labelSelector: `k8s-app in (${APPS.join(',')})`,
  }
  const options = { signal, deadlineMs: DEADLINE_MS, keep: staticPodIn }
  return (await client.listAs(Pod, selection, options)).items
}

function staticPodIn({ metadata, spec, status }: ObjectOf<typeof Pod>): StaticPod {
  const [container] = status?.containerStatuses ?? []
  return {
    app: metadata.labels?.['k8s-app'] ?? '',
    image: spec?.containers?.[0]?.image ?? '',
    isReady: (status?.conditions ?? []).some(
      (one) => one.type === 'Ready' && one.status === 'True',
    ),
    why: container?.state?.waiting?.reason ?? '',
  }
}
