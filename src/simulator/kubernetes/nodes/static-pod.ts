import { createHash } from 'node:crypto'
import type { Fields } from '#apiserver/objects.ts'
import type {
  ControlPlaneComponent,
  ControlPlaneFacts,
} from '#simulator/kubernetes/cluster-kubernetes.ts'
import { MIRROR } from '#simulator/kubernetes/pods/pod-view.ts'

export const COMPONENTS: readonly ControlPlaneComponent[] = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
]

/** A static pod as its kubelet shows it to the API, without a status. */
export function mirrorPod(
  component: ControlPlaneComponent,
  facts: ControlPlaneFacts,
  nodeUid: string,
): Fields {
  const { image, configVersion } = facts.components[component]
  const { nodeName } = facts
  // Of all that makes the pod: another one of it is another pod.
  const hash = createHash('md5')
    .update([component, image, configVersion, nodeName].join('\n'))
    .digest('hex')
  const version = /:(v[^@]+)/.exec(image)?.[1] ?? ''
  return {
    metadata: {
      labels: {
        'app.kubernetes.io/component': 'control-plane',
        'app.kubernetes.io/managed-by': 'Talos',
        'app.kubernetes.io/name': component,
        ...(version && { 'app.kubernetes.io/version': version.slice(1) }),
        component,
        'k8s-app': component,
        tier: 'control-plane',
      },
      annotations: {
        'kubernetes.io/config.hash': hash,
        [MIRROR]: hash,
        'kubernetes.io/config.source': 'file',
        'talos.dev/config-version': configVersion,
      },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeUid, controller: true },
      ],
    },
    spec: {
      nodeName,
      hostNetwork: true,
      priorityClassName: 'system-cluster-critical',
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      containers: [{ name: component, image, command: [`/usr/local/bin/${component}`] }],
      tolerations: [{ effect: 'NoExecute', operator: 'Exists' }],
    },
  }
}
